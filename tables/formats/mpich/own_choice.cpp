// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/own_choice.hpp"

#include <algorithm>
#include <utility>

#include "core/units.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "libraries/mpich_parameters.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/mpich/cvars.hpp"
#include "tables/formats/mpich/names.hpp"
#include "tables/formats/mpich/search.hpp"

namespace breakeven::formats::mpich {

namespace {

/// Empty where it has faults.
Chain chain_in(std::string_view json) {
  ParsedTree parsed = parse_tree(json);
  return parsed.fault ? Chain{} : std::move(parsed.chain);
}

/// Whether a composition is a single call of its collective where there is one node.
/// @see MPIDI_Bcast_intra_composition_alpha and others in src/mpid/ch4/src/ch4_coll_impl.h
bool is_one_call_on_a_node(Collective collective, std::string_view composition) {
  const bool of_levels = collective == Collective::allreduce || collective == Collective::bcast ||
                         collective == Collective::reduce;
  return of_levels && !composition.ends_with("delta");  // which has several leaders
}

/// Whether a variable chooses an algorithm or its parameters, for the collectives of some form.
bool chooses(std::string_view variable) {
  if (variable == kDevices) return true;
  for (const auto& [collective, name] : kCollectives.entries) {
    using libraries::mpich::variable_name;
    if (variable.starts_with(variable_name(collective, "", CallForm::nonblocking))) return true;
    const std::string before = variable_name(collective, "");
    if (!variable.starts_with(before)) continue;
    const std::string_view end = variable.substr(before.size());
    if (end == kAlgorithm || end == kDevice || end == kComposition ||
        libraries::mpich::find_parameter(collective, CallForm::blocking, end) != nullptr)
      return true;
  }
  return false;
}

}  // namespace

OwnChoice::OwnChoice(const Machine& machine, const LibraryCapabilities& capabilities)
    : series_{series_in(machine.library_version)}, shares_memory_{capabilities.shares_memory} {
  if (!series_) return;
  for (const LibrarySetting& each : machine.settings) {
    if (!each.name.starts_with(kPrefix)) continue;
    if (!chooses(each.name)) return;
    variables_.emplace(each.name, each.value);
  }
  device_ = chain_in(capabilities.tree_of("ch4"));
  mpir_ = chain_in(capabilities.tree_of("mpir"));
}

std::string_view OwnChoice::value_of(Collective collective, std::string_view end) const {
  const auto found = variables_.find(libraries::mpich::variable_name(collective, end));
  return found == variables_.end() ? std::string_view{} : found->second;
}

bool OwnChoice::device_is_off(Collective collective) const {
  const auto all = variables_.find(kDevices);
  return is_device_off(all == variables_.end() ? "" : all->second,
                       lists(kOff, ' ', value_of(collective, kDevice)));
}

std::optional<LibraryOwn> OwnChoice::forced(const Case& problem) const {
  const std::string name{value_of(problem.collective, kAlgorithm)};
  if (name.empty() || name == kLibraryChooses) return std::nullopt;
  const Case what = with_variant(problem, LibraryOwn{"mpich", name});
  const libraries::LibraryAlgorithm* const algorithm = libraries::find_library_algorithm(what);
  if (algorithm == nullptr || libraries::refusal(what)) return std::nullopt;
  return variant_of(*algorithm, [&](const libraries::mpich::Parameter& parameter) {
    return std::string{value_of(problem.collective, parameter.variable)};
  });
}

std::optional<LibraryOwn> OwnChoice::composition(const Case& problem, const Call& call) const {
  const auto names = compositions_of(problem.collective);
  const auto number = number_in<std::size_t>(value_of(problem.collective, kComposition));
  if (number && *number > 0 && *number <= names.size())
    return LibraryOwn{"mpich", std::string{names[*number - 1]}};
  const Node* const leaf = search(device_, call).leaf;
  if (leaf == nullptr || leaf->key == flat_leaf(problem.collective, *series_).key) return {};
  return variant_in(*leaf);
}

std::optional<LibraryOwn> OwnChoice::choose(const Case& problem) const {
  if (mpir_.empty() || problem.form != CallForm::blocking) return std::nullopt;
  Case placed = problem;
  if (!shares_memory_) placed.nodes = placed.procs;  // each process is a node to the library
  Call call = call_of(placed);
  call.regular_blocks = problem.counts == Counts::equal;
  if (!device_is_off(problem.collective)) {
    if (const std::optional<LibraryOwn> levels = composition(problem, call)) {
      if (call.nodes > 1 || !is_one_call_on_a_node(problem.collective, levels->name)) return levels;
      // Allreduce's is that of the communicator, the others' is that of the node's.
      if (problem.collective != Collective::allreduce) call.hierarchy = Hierarchy::node;
    }
  }
  if (const std::optional<LibraryOwn> by_variable = forced(problem)) return by_variable;
  const Node* const leaf = search(mpir_, call).leaf;
  if (leaf == nullptr) return std::nullopt;
  const LibraryOwn own = variant_in(*leaf);
  const bool known = libraries::find_library_algorithm(with_variant(problem, own)) != nullptr;
  return known ? std::optional{own} : std::nullopt;
}

}  // namespace breakeven::formats::mpich
