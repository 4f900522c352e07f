// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "tables/formats/mpich/known.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

/// The communicators that come to a place in a tree.
struct Communicators {
  Hierarchy hierarchy = Hierarchy::parent;
  int least = 1;  ///< processes
  int most = std::numeric_limits<int>::max();
};

/// The chain without questions whose answer is the same for all these communicators. For a single
/// number of processes no limit of it is left, so that the chain may stand anywhere in a tree:
/// "comm_size<8" means something else below a question about the call.
[[nodiscard]] Chain specialise(const Chain& chain, const Communicators& which);

/// A collective's whole chain without questions that those before them have answered.
[[nodiscard]] Chain without_answered(const Chain& chain);

}  // namespace breakeven::formats::mpich
