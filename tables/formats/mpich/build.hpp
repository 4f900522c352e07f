// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tables/formats/mpich/check.hpp"
#include "tables/formats/mpich/selection_tree.hpp"
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
/// @param allowed_unsafe  see Provenance
/// @throws UsageError when a choice is none of this version of MPICH.
[[nodiscard]] BuiltTree build_tree(const Chain& own, Layer layer, Series series,
                                   const tables::Table& table,
                                   const libraries::AlgorithmNames& allowed_unsafe);

}  // namespace breakeven::formats::mpich
