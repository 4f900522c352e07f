// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tables/formats/common/emitted.hpp"
#include "tables/formats/mpich/names.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

/// Faults that would end a program that loads the tree, at its start or at some call, or give it
/// another answer than the text seems to: keys, leaves and numbers that the library doesn't know,
/// questions that it can't answer for a collective, chains that may lead nowhere, algorithms without
/// guards for their needs, or that nothing could guard.
/// @param series  whose names count; nothing: those of any known one
/// @param text    whose head may allow algorithms that nothing could guard
[[nodiscard]] std::vector<ReadTable::Fault> check_tree(const Chain& tree, Layer layer,
                                                       std::optional<Series> series,
                                                       std::string_view text);

}  // namespace breakeven::formats::mpich
