// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/places.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "executor/mpi_error.hpp"
#include "harness/doctor/host.hpp"
#include "harness/doctor/topology.hpp"
#include "harness/worker/agree.hpp"
#include "harness/worker/node.hpp"

namespace breakeven {

namespace {

/// What one rank says of itself.
struct Place {
  std::string host{};
  std::string kernel{};  ///< its boot_id
  int first_mate = 0;    ///< the lowest rank that shares memory with it
  int package = -1;
  int numa = -1;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Place, host, kernel, first_mate, package, numa)

std::string processor_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  check_mpi(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  return {name.data(), static_cast<std::size_t>(length)};
}

/// The one of the sets that holds all the CPUs; -1 when none does.
int holder_of(const CpuSet& cpus, const std::vector<CpuSet>& sets) {
  const auto found = std::ranges::find_if(
      sets, [&](const CpuSet& set) { return !cpus.empty() && std::ranges::includes(set, cpus); });
  return found == sets.end() ? -1 : static_cast<int>(found - sets.begin());
}

Place own_place(const Communicator& comm) {
  const CpuSet cpus = allowed_cpus(0);
  const Topology topology = read_topology();
  return {.host = processor_name(),
          .kernel = boot_id().value_or(host_name()),
          .first_mate = first_rank_on_this_node(comm),
          .package = holder_of(cpus, topology.packages),
          .numa = holder_of(cpus, topology.numa)};
}

/// Names need not be UTF-8.
std::string packed(const Place& place) {
  return nlohmann::json(place).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void find_places(JobInfo& job_info, const Communicator& comm) {
  std::map<int, int> nodes;                       // their numbers, by their first ranks
  std::map<std::string, std::set<int>> nodes_on;  // by kernel
  for (const std::string& text : gather(packed(own_place(comm)), comm)) {
    const auto place = nlohmann::json::parse(text).get<Place>();
    const int node =
        nodes.try_emplace(place.first_mate, static_cast<int>(nodes.size())).first->second;
    nodes_on[place.kernel].insert(node);
    job_info.hosts.push_back(place.host);
    job_info.nodes.push_back(node);
    job_info.packages.push_back(place.package);
    job_info.numa.push_back(place.numa);
  }
  for (const auto& [kernel, sharing] : nodes_on) {
    job_info.nodes_on_kernel = std::max(job_info.nodes_on_kernel, static_cast<int>(sharing.size()));
  }
}

}  // namespace breakeven
