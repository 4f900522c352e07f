// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "tuner/emit/mpich/search.hpp"
#include "tuner/emit/mpich/selection_tree.hpp"

namespace breakeven::mpich {

/// The communicators that come to a place in a tree.
struct Communicators {
  Hierarchy hierarchy = Hierarchy::parent;
  int least = 1;  ///< processes
  int most = std::numeric_limits<int>::max();
};

/// The chain without questions whose answer is the same for all these communicators; "comm_size<8"
/// becomes "comm_size<=7", which means the same wherever in a tree it comes to stand.
[[nodiscard]] Chain specialise(const Chain& chain, const Communicators& which);

}  // namespace breakeven::mpich
