// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/inspect.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "executor/mpi_error.hpp"
#include "harness/doctor/host.hpp"
#include "harness/doctor/load.hpp"
#include "harness/doctor/noise.hpp"
#include "harness/protocol/facts_json.hpp"
#include "harness/worker/agree.hpp"
#include "harness/worker/library_facts.hpp"

namespace breakeven {

namespace {

double mpi_now() { return MPI_Wtime(); }

/// What a rank reports: of its node only if it is the first one there.
using Report = NodeFacts;

/// Puts each rank to the first one of its node; reports come in the order of the ranks.
std::vector<NodeFacts> merged(std::vector<Report> reports) {
  std::vector<NodeFacts> nodes;
  for (Report& report : reports) {
    const auto node = std::ranges::find(nodes, report.host.name,
                                        [](const NodeFacts& facts) { return facts.host.name; });
    if (node == nodes.end()) {
      nodes.push_back(std::move(report));
    } else {
      std::ranges::move(report.ranks, std::back_inserter(node->ranks));
    }
  }
  return nodes;
}

}  // namespace

std::vector<NodeFacts> inspect(const InspectRequest& request, const Communicator& comm) {
  Report report{.host = {.name = host_name()}};
  std::optional<LoadSnapshot> before;
  if (first_on_node(report.host.name, comm)) {
    report = {.host = read_host(cpus_of_launcher()), .library = library_facts()};
    before = take_load();
  }
  RankFacts rank{.rank = comm.me().value,
                 .cpus = allowed_cpus(0),
                 .memlock_bytes = memlock_limit(),
                 .timer = look_at_timer(mpi_now)};
  check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
  rank.noise = look_for_noise(request.window, mpi_now);
  // All ranks of the node are the launcher's.
  if (before) report.load = load_between(*before, take_load(), getppid());
  report.ranks.push_back(std::move(rank));

  std::vector<Report> reports;
  for (const std::string& text : gather(pack(report), comm)) {
    reports.push_back(unpack(text));
  }
  return merged(std::move(reports));
}

}  // namespace breakeven
