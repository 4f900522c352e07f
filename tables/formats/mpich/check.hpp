// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/emitted.hpp"
#include "tables/formats/mpich/known.hpp"
#include "tables/formats/mpich/names.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

/// The way to a node.
struct Path {
  std::string collective{};
  Known known{};         ///< of every call that comes there
  bool at_call = false;  ///< a question before this one was of the call
};

/// Whether MPICH's own tree chooses an algorithm for every call that comes to a leaf: what that
/// does to some of them, it does without a table.
[[nodiscard]] bool own_choice(const libraries::LibraryAlgorithm& algorithm, const Path& path);

/// The answers without which an algorithm aborts, or gives wrong results, as far as nothing on the
/// way to its leaf asks for them: MPICH checks what a variable chooses, but not what a tree does.
[[nodiscard]] std::vector<std::string> unasked_requirements(
    const libraries::LibraryAlgorithm& algorithm, Layer layer, const Path& path);

/// Faults that would end a program that loads the tree, at its start or at some call, or give it
/// another answer than the text seems to: keys, leaves and numbers that the library doesn't know,
/// questions that it can't answer for a collective, chains that may lead nowhere, algorithms
/// without guards for their needs, or that nothing could guard.
/// @param series  whose names count; nothing: those of any known one
/// @param text    whose head may allow algorithms that nothing could guard
[[nodiscard]] std::vector<ReadTable::Fault> check_tree(const Chain& tree, Layer layer,
                                                       std::optional<Series> series,
                                                       std::string_view text);

}  // namespace breakeven::formats::mpich
