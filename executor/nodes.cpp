// SPDX-License-Identifier: BSD-3-Clause
#include "executor/nodes.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <system_error>

#include "executor/communicator.hpp"
#include "executor/mpi_error.hpp"

namespace breakeven::executor {

namespace {

/// A number for the caller's host. Ranks of one host have the same library, and so the same hash.
std::uint64_t own_host() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  check_mpi(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  std::string host{name.data(), static_cast<std::size_t>(length)};
  std::string boot;
  std::getline(std::ifstream{"/proc/sys/kernel/random/boot_id"}, boot);
  std::error_code unreadable;
  host += boot + std::filesystem::read_symlink("/proc/self/ns/net", unreadable).string();
  return std::hash<std::string>{}(host);
}

/// Frees the group's communicator.
/// @param rank  the caller's in the whole one
Mates mates_in(MPI_Comm group, int rank) {
  Mates mates{.first = rank};
  check_mpi(MPI_Comm_size(group, &mates.count), "MPI_Comm_size");
  check_mpi(MPI_Bcast(&mates.first, 1, MPI_INT, 0, group), "MPI_Bcast");
  check_mpi(MPI_Comm_free(&group), "MPI_Comm_free");
  return mates;
}

}  // namespace

MPI_Comm split_by_node(const Communicator& comm) {
  // A color has 31 bits, by which two of ten thousand hosts may be confused: each half parts them.
  const std::uint64_t host = own_host();
  constexpr std::uint64_t kColors = 1ULL << 31U;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(comm.get(), static_cast<int>(host % kColors), comm.me().value, &half),
            "MPI_Comm_split");
  check_mpi(
      MPI_Comm_split(half, static_cast<int>(host / kColors % kColors), comm.me().value, &node),
      "MPI_Comm_split");
  check_mpi(MPI_Comm_free(&half), "MPI_Comm_free");
  return node;
}

Mates node_mates(const Communicator& comm) {
  return mates_in(split_by_node(comm), comm.me().value);
}

Mates memory_mates(const Communicator& comm) {
  MPI_Comm sharing = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm.get(), MPI_COMM_TYPE_SHARED, comm.me().value, MPI_INFO_NULL,
                                &sharing),
            "MPI_Comm_split_type");
  return mates_in(sharing, comm.me().value);
}

std::vector<int> ranks_in(MPI_Comm other, MPI_Comm comm, std::span<const int> ranks) {
  std::vector<int> there(ranks.size());
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group of_other = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(comm, &group), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(other, &of_other), "MPI_Comm_group");
  check_mpi(MPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), of_other,
                                      there.data()),
            "MPI_Group_translate_ranks");
  MPI_Group_free(&group);
  MPI_Group_free(&of_other);
  return there;
}

NodeLayout found_layout(const Communicator& comm) {
  const std::uint64_t host = own_host();
  const bool here = comm.me() == Rank{0};
  std::vector<std::uint64_t> hosts(here ? static_cast<std::size_t>(comm.procs()) : 0);
  check_mpi(MPI_Gather(&host, 1, MPI_UINT64_T, hosts.data(), 1, MPI_UINT64_T, 0, comm.get()),
            "MPI_Gather");
  std::map<std::uint64_t, int> numbers;
  std::vector<int> nodes;
  for (const std::uint64_t each : hosts) {
    nodes.push_back(numbers.try_emplace(each, static_cast<int>(numbers.size())).first->second);
  }
  NodeLayout layout = here ? recognise(nodes) : NodeLayout{};
  std::array<int, 2> sizes{layout.nodes, layout.procs_per_node};
  check_mpi(MPI_Bcast(sizes.data(), 2, MPI_INT, 0, comm.get()), "MPI_Bcast");
  const std::string mapping = broadcast(to_text(layout.mapping), Rank{0}, comm);
  return {comm.procs(), sizes[0], sizes[1], Mapping::parse(mapping)};
}

}  // namespace breakeven::executor
