// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/own_choice.hpp"

#include <algorithm>

#include "libraries/library_algorithm.hpp"
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

}  // namespace

OwnChoice::OwnChoice(const Machine& machine, const LibraryCapabilities& capabilities)
    : series_{series_in(machine.library_version)}, shares_memory_{capabilities.shares_memory} {
  const bool changed = std::ranges::any_of(machine.settings, [](const LibrarySetting& each) {
    return each.name.starts_with("MPIR_CVAR_");
  });
  if (!series_ || changed) return;
  device_ = chain_in(capabilities.tree_of("ch4"));
  mpir_ = chain_in(capabilities.tree_of("mpir"));
}

std::optional<LibraryOwn> OwnChoice::choose(const Case& problem) const {
  if (mpir_.empty() || problem.form != CallForm::blocking) return std::nullopt;
  Case placed = problem;
  if (!shares_memory_) placed.nodes = placed.procs;  // each process is a node to the library
  Call call = call_of(placed);
  call.regular_blocks = problem.counts == Counts::equal;
  const Node* const device = search(device_, call).leaf;
  if (device != nullptr && device->key != flat_leaf(problem.collective, *series_).key) {
    LibraryOwn composition = variant_in(*device);
    if (call.nodes > 1 || !is_one_call_on_a_node(problem.collective, composition.name))
      return composition;
    // Allreduce's is that of the communicator, the others' is that of the node's.
    if (problem.collective != Collective::allreduce) call.hierarchy = Hierarchy::node;
  }
  const Node* const leaf = search(mpir_, call).leaf;
  if (leaf == nullptr) return std::nullopt;
  const LibraryOwn own = variant_in(*leaf);
  const bool known = libraries::find_library_algorithm(with_variant(problem, own)) != nullptr;
  return known ? std::optional{own} : std::nullopt;
}

}  // namespace breakeven::formats::mpich
