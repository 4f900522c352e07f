// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tables/formats/mpich/check.hpp"
#include "tables/formats/mpich/known.hpp"
#include "tables/formats/mpich/selection_tree.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats::mpich {

struct BuiltTree {
  Chain tree{};
  std::vector<std::string> degraded{};  ///< these two: see Emitted
  std::set<Collective> approximate{};
};

/// The library's own tree, with the table's choices in it: those of communicators that a user makes
/// and of measured numbers of processes, where some are flat or parents as measured, guarded by
/// what each algorithm needs. The library's own answer remains everywhere else, so on the
/// communicators that it makes of a user's.
/// @param own  the layer's default tree
/// @param provenance  for the library's facts, and the allowed unsafe algorithms
/// @throws UsageError when a choice is none of this version of MPICH.
[[nodiscard]] BuiltTree build_tree(const Chain& own, Layer layer, Series series,
                                   const tables::Table& table,
                                   const tables::Provenance& provenance);

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
