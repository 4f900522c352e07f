// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "executor/communicator.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/nodes.hpp"
#include "harness/doctor/host.hpp"
#include "harness/doctor/load.hpp"
#include "harness/doctor/noise.hpp"
#include "harness/protocol/facts_json.hpp"
#include "harness/worker/tasks.hpp"
#include "libraries/forced/tools.hpp"

namespace breakeven::worker {

namespace {

double mpi_now() { return MPI_Wtime(); }

/// Control variables of either library that tell its transports and its checks.
constexpr std::array kVariables{
    // Open MPI; the first exists in debug builds alone
    "mpi_ddt_unpack_debug", "mpi_param_check", "mpi_yield_when_idle", "pml", "btl", "mtl",
    // MPICH
    "MPIR_CVAR_ERROR_CHECKING", "MPIR_CVAR_CH4_NETMOD", "MPIR_CVAR_CH4_SHM", "MPIR_CVAR_NOLOCAL",
    "MPIR_CVAR_DEVICE_COLLECTIVES"};

std::string thread_level() {
  int level = 0;
  executor::check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  switch (level) {
    case MPI_THREAD_SINGLE: return "single";
    case MPI_THREAD_FUNNELED: return "funneled";
    case MPI_THREAD_SERIALIZED: return "serialized";
    default: return "multiple";
  }
}

/// The MPI library's facts about itself, its control variables included.
protocol::LibraryFacts library_facts(bool shares_memory) {
  protocol::LibraryFacts facts{.version = executor::library_version(),
                               .thread_level = thread_level(),
                               .settings = forced::settings_in_force(),
                               .shares_memory = shares_memory};
  for (const char* name : kVariables) {
    const auto variable = forced::ControlVariable::find(name);
    if (!variable) continue;
    if (const auto value = variable->text()) facts.variables[name] = *value;
  }
  return facts;
}

/// A rank's report; the first rank of a node adds the facts about the node.
using Report = protocol::NodeFacts;

/// Adds each rank to the report of its node's first one; reports come in the order of the ranks.
std::vector<protocol::NodeFacts> merged(std::vector<Report> reports) {
  std::vector<protocol::NodeFacts> nodes;
  for (Report& report : reports) {
    const auto node = std::ranges::find(
        nodes, report.host.name, [](const protocol::NodeFacts& facts) { return facts.host.name; });
    if (node == nodes.end()) {
      nodes.push_back(std::move(report));
    } else {
      std::ranges::move(report.ranks, std::back_inserter(node->ranks));
    }
  }
  return nodes;
}

}  // namespace

std::vector<protocol::NodeFacts> inspect(const protocol::InspectRequest& request,
                                         const executor::Communicator& comm) {
  Report report{.host = {.name = doctor::host_name()}};
  const bool shares_memory = executor::memory_mates(comm).count == executor::node_mates(comm).count;
  std::optional<doctor::LoadSnapshot> before;
  if (first_on_node(report.host.name, comm)) {
    report = {.host = doctor::read_host(doctor::cpus_of_launcher()),
              .library = library_facts(shares_memory)};
    before = doctor::take_load();
  }
  protocol::RankFacts rank{.rank = comm.me().value,
                           .cpus = protocol::allowed_cpus(0),
                           .memlock_bytes = doctor::memlock_limit(),
                           .timer = doctor::look_at_timer(mpi_now)};
  executor::check_mpi(MPI_Barrier(comm.get()), "MPI_Barrier");
  rank.noise = doctor::look_for_noise(request.window, mpi_now);
  // All ranks of the node are the launcher's.
  if (before) report.load = doctor::load_between(*before, doctor::take_load(), getppid());
  report.ranks.push_back(std::move(rank));

  std::vector<Report> reports;
  for (const std::string& text : gather(line_of(json_of(report)), comm)) {
    reports.push_back(value_in<protocol::NodeFacts>(Json::parse(text)));
  }
  return merged(std::move(reports));
}

}  // namespace breakeven::worker
