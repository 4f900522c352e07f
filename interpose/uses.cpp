// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/uses.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>

#include "core/files.hpp"
#include "core/processor.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "interpose/notify.hpp"

namespace breakeven::interpose {

namespace {

using executor::check_mpi;

/// Never destroyed: MPI_Finalize may run in a destructor.
struct AllUses {
  std::mutex mutex;
  std::map<Use, Amount> uses;
};

AllUses& all_uses() {
  static auto& all = *new AllUses;
  return all;
}

/// The command that started this process.
std::string command() {
  std::string words = read_file("/proc/self/cmdline");
  while (words.ends_with('\0')) words.pop_back();
  std::ranges::replace(words, '\0', ' ');
  return words;
}

/// Collective: rank 0 has the calls of all. Each rank adds those of at most log2(p) others.
void sum_up(tables::Profile& profile, int me, MPI_Comm world) {
  for (int step = 1; step < profile.procs; step *= 2) {
    if ((me & step) != 0) {
      const std::string text = to_json(profile);
      check_mpi(
          PMPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, me - step, 0, world),
          "MPI_Send");
      return;
    }
    if (me + step >= profile.procs) continue;
    MPI_Status status;
    int size = 0;
    check_mpi(PMPI_Probe(me + step, 0, world, &status), "MPI_Probe");
    check_mpi(PMPI_Get_count(&status, MPI_CHAR, &size), "MPI_Get_count");
    std::string text(static_cast<std::size_t>(size), '\0');
    check_mpi(PMPI_Recv(text.data(), size, MPI_CHAR, me + step, 0, world, MPI_STATUS_IGNORE),
              "MPI_Recv");
    tables::add(tables::read_profile(text).uses, profile.uses);
  }
}

/// The means of one communicator, and how many on a node made such calls: of a layout that several
/// have, all are taken to call at once.
std::map<Use, Amount> per_communicator(const std::map<Use, Amount>& sums, int nodes) {
  std::map<Use, Amount> means;
  for (const auto& [sum_use, sum] : sums) {
    Use use = sum_use;
    Amount amount = sum;
    const int each_node = nodes * use.layout.procs_per_node;
    use.layout.comms_per_node =
        static_cast<int>(std::max<std::int64_t>(1, sum.processes / each_node));
    amount /= std::max<std::int64_t>(1, sum.processes / use.layout.procs);
    means[use] += amount;
  }
  return means;
}

}  // namespace

Use use_of(const executor::MpiCall& call, Bytes message, const NodeLayout& layout,
           Variant variant) {
  Use use{.collective = call.collective,
          .layout = layout,
          .in_place = call.in_place && !rooted(call.collective),  // else ranks differ
          .variant = std::move(variant)};
  use.message = power_below(std::max(Bytes{}, message));
  if (moves_data(call.collective) && call.described().present()) {
    const auto known = executor::datatype_of(call.described().type);
    const bool one = known && call.collective != Collective::alltoallw;
    use.datatype = one ? kDatatypes.of(*known) : "derived";
  }
  if (reduces(call.collective)) {
    const auto known = executor::op_of(call.op);
    use.op = known ? kOps.of(*known) : "user";
  }
  return use;
}

Amount& amount_of_use(const Use& use) {
  const std::scoped_lock lock{all_uses().mutex};
  return all_uses().uses[use];
}

void write_profile(const std::string& folder, MPI_Comm world, int nodes, double wall_s) noexcept {
  try {
    tables::Profile profile{.library_version = executor::library_version_line(),
                            .cpu = processor_name().value_or("unknown"),
                            .wall_s = wall_s,
                            .uses = all_uses().uses,
                            .command = command()};
    std::erase_if(profile.uses, [](const auto& each) {
      return each.second.calls == 0 && each.second.seconds == 0;
    });
    for (auto& [use, amount] : profile.uses) amount.processes = 1;
    int me = 0;
    check_mpi(PMPI_Comm_rank(world, &me), "MPI_Comm_rank");
    check_mpi(PMPI_Comm_size(world, &profile.procs), "MPI_Comm_size");
    sum_up(profile, me, world);
    if (me != 0) return;
    profile.uses = per_communicator(profile.uses, nodes);
    std::filesystem::create_directories(folder);
    write_file(std::filesystem::path{folder} / fmt::format("{}.{}.json", node_name(), getpid()),
               to_json(profile));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "breakeven: no profile: %s\n", error.what());
  }
}

}  // namespace breakeven::interpose
