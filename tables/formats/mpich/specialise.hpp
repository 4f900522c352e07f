// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tables/formats/mpich/known.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

/// The chain for communicators of one place. It may stand anywhere in a tree: no "comm_size<8" is
/// left, which means something else below a question about the call.
[[nodiscard]] Chain specialise(const Chain& chain, Hierarchy hierarchy);

/// A chain without questions that those before them have answered, or whose answers come to the
/// same.
[[nodiscard]] Chain without_answered(const Chain& chain);

/// A leaf in the place of the library's own chain.
inline constexpr std::string_view kOwnAnswer = "algorithm=own";

/// A chain with the library's own one in its places, and few nodes, of each of which json-c keeps
/// 1 kB: questions about sizes and kinds of calls come before those about processes where, asked
/// once, they save more nodes than they are.
[[nodiscard]] Chain with_few_nodes(const Chain& chain, const Chain& own);

}  // namespace breakeven::formats::mpich
