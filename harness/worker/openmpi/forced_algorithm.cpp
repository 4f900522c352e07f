// SPDX-License-Identifier: BSD-3-Clause
// Open MPI looks at its variables when a communicator is made: each algorithm gets one of its own.
#include "harness/worker/forced_algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>

#include "core/error.hpp"
#include "harness/worker/control_variable.hpp"
#include "harness/worker/openmpi/tuned_variable.hpp"
#include "kernels/params.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::worker {

namespace {

using openmpi::Override;

int value_of(const Case& what, const std::string& variable_name) {
  const std::string_view name = libraries::library_name(what.algorithm)->algorithm;
  const auto variable = ControlVariable::find("coll_tuned_" + variable_name);
  if (variable) {
    const auto& entries = variable->entries();
    const auto found = std::ranges::find(
        entries, name, [](const auto& entry) { return std::string_view{entry.second}; });
    if (found != entries.end()) return found->first;
  }
  throw UsageError(fmt::format("{}: this library has no such algorithm", algorithm_text(what)));
}

/// Collective. A duplicate on which the case's algorithm is forced.
std::unique_ptr<executor::Communicator> forced_duplicate(const Case& what, MPI_Comm comm) {
  const std::string variable = fmt::format("{}_algorithm", kCollectives.of(what.collective));
  const kernels::Params params = kernels::Params::parse(what.params);
  std::deque<Override> overrides;
  overrides.emplace_back("use_dynamic_rules", 1);
  overrides.emplace_back(variable, value_of(what, variable));
  const auto force = [&](std::string_view param, std::string_view suffix, int least) {
    const std::optional<int> value = params.find_number(param, least);
    if (value) overrides.emplace_back(fmt::format("{}_{}", variable, suffix), *value);
  };
  force(libraries::library_params::kSegmentBytes, "segmentsize", 1);
  force(libraries::library_params::kFanout, "chain_fanout", 1);
  force(libraries::library_params::kRadix, "knomial_radix", 2);
  return std::make_unique<executor::Communicator>(comm);
}

}  // namespace

ForcedAlgorithm::ForcedAlgorithm(const Case& what, MPI_Comm comm)
    : comm_{comm}, own_comm_{forced_duplicate(what, comm)} {}

}  // namespace breakeven::worker
