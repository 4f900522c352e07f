// SPDX-License-Identifier: BSD-3-Clause
// Open MPI looks at its variables when a communicator is made: each algorithm gets one of its own.
// Which of coll/han's and coll/libnbc's algorithms runs, and the radix of bcast, it looks up in
// each call.
#include "libraries/forced/forced_algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>

#include "core/error.hpp"
#include "kernels/params.hpp"
#include "libraries/forced/openmpi/component_variable.hpp"
#include "libraries/forced/tools.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/openmpi_rules.hpp"

namespace breakeven::forced {

namespace {

using namespace libraries::library_params;
using openmpi::ComponentVariable;
using openmpi::Override;

constexpr const char* kPriority = "priority";
constexpr int kHighest = 100;  // the library takes greater values for the same

std::string_view name_of(const Case& what) { return what.variant.library()->name; }

bool is_blocking(const Case& what) { return what.form == CallForm::blocking; }
bool is_han(const Case& what) { return libraries::openmpi::is_han(name_of(what)); }

/// The algorithm's number in the component's variable.
int value_of(const Case& what, std::string_view component, const std::string& variable_name,
             std::string_view name) {
  const auto variable = ControlVariable::find(fmt::format("coll_{}_{}", component, variable_name));
  if (variable) {
    const auto& entries = variable->entries();
    const auto found = std::ranges::find(
        entries, name, [](const auto& entry) { return std::string_view{entry.second}; });
    if (found != entries.end()) return found->first;
  }
  throw UsageError(fmt::format("{}: this library has no such algorithm", algorithm_text(what)));
}

/// Collective. A duplicate on which the case's algorithm of coll/tuned is forced.
std::unique_ptr<executor::Communicator> tuned_duplicate(const Case& what, MPI_Comm comm) {
  const std::string variable = fmt::format("{}_algorithm", kCollectives.of(what.collective));
  const kernels::Params params = kernels::Params::parse(what.variant.params());
  std::deque<Override> overrides;
  // Where there are several nodes coll/han may come first.
  if (ComponentVariable::find("han", kPriority)) overrides.emplace_back("han", kPriority, 0);
  overrides.emplace_back("tuned", "use_dynamic_rules", 1);
  overrides.emplace_back("tuned", variable, value_of(what, "tuned", variable, name_of(what)));
  const auto force = [&](std::string_view param, std::string_view suffix, int least) {
    const std::optional<int> value = params.find_number(param, least);
    if (value) overrides.emplace_back("tuned", fmt::format("{}_{}", variable, suffix), *value);
  };
  force(kSegmentBytes, "segmentsize", 1);
  force(kMaxRequests, "max_requests", 1);
  if (const auto* const fanout = libraries::openmpi::fanout_param(what)) {
    force(fanout->key, what.collective == Collective::allgather ? "tree_fanout" : "chain_fanout",
          1);
  }
  return std::make_unique<executor::Communicator>(comm);
}

/// Collective. A duplicate on which coll/han takes the collectives that it has.
std::unique_ptr<executor::Communicator> han_duplicate(MPI_Comm comm) {
  const Override first{"han", kPriority, kHighest};
  return std::make_unique<executor::Communicator>(comm);
}

/// Sets a component's variable to the value, or back to its own.
std::function<void(bool enforced)> in_calls(const std::string& component, const std::string& name,
                                            int value) {
  return [variable = ComponentVariable::require(component, name), value](bool enforced) {
    variable.set(enforced ? value : variable.now);
  };
}

/// Sets the variable that the library looks up in each call; null where there is none.
std::function<void(bool enforced)> set_in_calls(const Case& what) {
  if (!is_blocking(what)) {
    const std::string name = fmt::format("i{}_algorithm", kCollectives.of(what.collective));
    return in_calls("libnbc", name, value_of(what, "libnbc", name, name_of(what)));
  }
  if (is_han(what)) {
    const std::string name = fmt::format("use_{}_algorithm", kCollectives.of(what.collective));
    return in_calls(
        "han", name,
        value_of(what, "han", name, name_of(what).substr(libraries::openmpi::kHan.size())));
  }
  const auto radix = kernels::Params::parse(what.variant.params()).find_number(kRadix, 2);
  if (!radix || libraries::openmpi::fanout_param(what) != nullptr) return {};
  return in_calls("tuned", "bcast_algorithm_knomial_radix", *radix);
}

}  // namespace

bool forces_each_call(const Case& what) { return !is_blocking(what); }

ForcedAlgorithm::ForcedAlgorithm(const Case& what, MPI_Comm comm, Unable /*unable*/)
    : comm_{comm},
      own_comm_{!is_blocking(what) ? nullptr
                : is_han(what)     ? han_duplicate(comm)
                                   : tuned_duplicate(what, comm)},
      set_{set_in_calls(what)} {}

}  // namespace breakeven::forced
