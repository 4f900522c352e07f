// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/nodes.hpp"
#include "harness/doctor/host.hpp"
#include "harness/worker/tasks.hpp"
#include "libraries/forced/tools.hpp"

namespace breakeven::worker {

namespace {

/// The place of one rank.
struct Place {
  std::string host{};
  std::string kernel{};       ///< its boot_id
  int first_mate = 0;         ///< the lowest rank on its node
  bool shares_memory = true;  ///< with all ranks on its node
  int package = -1;
  int numa = -1;
};
constexpr auto fields(std::type_identity<Place>) {
  return kPlainFields<&Place::host, &Place::kernel, &Place::first_mate, &Place::shares_memory,
                      &Place::package, &Place::numa>;
}

std::string processor_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  executor::check_mpi(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  return {name.data(), static_cast<std::size_t>(length)};
}

/// The index of the set that has all the CPUs; -1 when none has.
int holder_of(const protocol::CpuSet& cpus, const std::vector<protocol::CpuSet>& sets) {
  const auto found = std::ranges::find_if(sets, [&](const protocol::CpuSet& set) {
    return !cpus.empty() && std::ranges::includes(set, cpus);
  });
  return found == sets.end() ? -1 : static_cast<int>(found - sets.begin());
}

Place own_place(const executor::Communicator& comm) {
  const protocol::CpuSet cpus = protocol::allowed_cpus(0);
  const doctor::Topology topology = doctor::read_topology();
  const executor::Mates mates = executor::node_mates(comm);
  return {.host = processor_name(),
          .kernel = doctor::boot_id().value_or(doctor::host_name()),
          .first_mate = mates.first,
          .shares_memory = executor::memory_mates(comm).count == mates.count,
          .package = holder_of(cpus, topology.packages),
          .numa = holder_of(cpus, topology.numa)};
}

/// Fills in, on rank 0, the place of each rank.
void find_places(protocol::JobInfo& job_info, const executor::Communicator& comm) {
  std::map<int, int> nodes;                       // their numbers, by their first ranks
  std::map<std::string, std::set<int>> nodes_on;  // by kernel
  for (const std::string& text : gather(line_of(json_of(own_place(comm))), comm)) {
    const auto place = value_in<Place>(Json::parse(text));
    const int node =
        nodes.try_emplace(place.first_mate, static_cast<int>(nodes.size())).first->second;
    nodes_on[place.kernel].insert(node);
    job_info.hosts.push_back(place.host);
    job_info.nodes.push_back(node);
    job_info.packages.push_back(place.package);
    job_info.numa.push_back(place.numa);
    job_info.shares_memory = job_info.shares_memory && place.shares_memory;
  }
  for (const auto& [kernel, sharing] : nodes_on) {
    job_info.nodes_on_kernel = std::max(job_info.nodes_on_kernel, static_cast<int>(sharing.size()));
  }
}

/// The settings of all ranks, on rank 0: the origin of a setting counts its ranks if not all have
/// it.
LibrarySettings common_settings(const executor::Communicator& comm) {
  const LibrarySettings own = forced::settings_in_force();
  std::map<std::string, std::pair<LibrarySetting, int>> found;
  for (const std::string& text : gather(own.empty() ? "" : to_text(own), comm)) {
    for (LibrarySetting& each : parse_library_settings(text)) {
      std::string key = values_text({each});
      ++found.try_emplace(std::move(key), std::move(each), 0).first->second.second;
    }
  }
  LibrarySettings settings;
  for (auto& [text, setting] : found) {
    const auto& [each, ranks] = setting;
    settings.push_back(each);
    if (ranks == comm.procs()) continue;
    settings.back().origin += fmt::format(", on {} of {} ranks", ranks, comm.procs());
  }
  return settings;
}

}  // namespace

protocol::JobInfo job_info(const executor::Communicator& comm) {
  protocol::JobInfo job_info;
  find_places(job_info, comm);
  protocol::HostFacts host;
  int cores = std::numeric_limits<int>::max();
  if (first_on_node(doctor::host_name(), comm)) {
    host = doctor::read_host(doctor::cpus_of_launcher());
    cores = protocol::usable_cores(host.cpus);
  }
  executor::check_mpi(MPI_Reduce(&cores, &job_info.cores, 1, MPI_INT, MPI_MIN, 0, comm.get()),
                      "MPI_Reduce");
  job_info.settings = common_settings(comm);
  job_info.library_version = executor::library_version_line();
  job_info.cpu = host.processor.value_or("unknown");
  job_info.kernel = host.kernel.value_or("unknown");
  job_info.governor = protocol::governor_names(host.frequency);
  return job_info;
}

}  // namespace breakeven::worker
