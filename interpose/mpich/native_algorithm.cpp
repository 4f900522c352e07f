// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/native_algorithm.hpp"

#include <algorithm>
#include <string_view>

#include "api/unfit.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/program_time.hpp"
#include "executor/mpi_types.hpp"
#include "libraries/forced/forced_algorithm.hpp"
#include "libraries/forced/mpich/library_memory.hpp"
#include "tables/formats/mpich/own_choice.hpp"

namespace breakeven::interpose {

namespace {

/// Replaces a layer's tree by that of the file that a setting names, and removes the setting.
void read_tree(std::string_view layer, std::string_view variable, Machine& machine,
               std::vector<DefaultTree>& trees) {
  const auto setting = std::ranges::find(machine.settings, variable, &LibrarySetting::name);
  const auto tree = std::ranges::find(trees, layer, &DefaultTree::name);
  if (setting == machine.settings.end() || tree == trees.end()) return;
  tree->json = read_file(setting->value);
  machine.settings.erase(setting);
}

formats::mpich::OwnChoice own_choice(bool shares_memory) {
  Machine machine{.library_version = executor::library_version_line()};
  LibraryCapabilities capabilities{.shares_memory = shares_memory};
  try {
    machine.settings = forced::settings_in_program();
    capabilities.default_trees = forced::mpich::default_trees();
    read_tree("mpir", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", machine,
              capabilities.default_trees);
    read_tree("ch4", "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE", machine,
              capabilities.default_trees);
  } catch (const Error&) {
    capabilities.default_trees.clear();  // of a file that is gone
  }
  return {machine, capabilities};
}

/// Whether the algorithm may depend on what a case does not say.
bool says_too_little(const executor::MpiCall& call) {
  if (call.in_place && personalised(call.collective)) return true;
  return reduces(call.collective) &&
         !(executor::op_of(call.op) && executor::datatype_of(call.described().type));
}

}  // namespace

DerivedAlgorithm derived_algorithm(const executor::MpiCall& call, const NodeLayout& layout,
                                   bool shares_memory) {
  static const auto& own = *new formats::mpich::OwnChoice{own_choice(shares_memory)};
  if (says_too_little(call)) return {};
  Case what = api::library_case(Native{}, call, layout);
  if (reduces(call.collective)) what.op = *executor::op_of(call.op);
  const auto of_size = [&](Bytes message) {
    what.message = message;
    return own.choose(what);
  };
  const Bytes least = power_below(what.message);
  const Bytes most{std::max(least.value, 2 * least.value - 1)};
  const std::optional<LibraryOwn> algorithm = of_size(what.message);
  const auto same = [&](Bytes message) {
    const std::optional<LibraryOwn> other = of_size(message);
    return other.has_value() == algorithm.has_value() &&
           (!other || Variant{*other} == Variant{*algorithm});
  };
  return {algorithm, !same(least) || !same(most)};
}

// MPICH's functions are hidden, so nothing is observed.
Observation::Observation(Collective /*collective*/, MPI_Comm /*comm*/) noexcept {}
Observation::~Observation() = default;
const libraries::LibraryAlgorithm* Observation::algorithm() const noexcept { return nullptr; }

}  // namespace breakeven::interpose
