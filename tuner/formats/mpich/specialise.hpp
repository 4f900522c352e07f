// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string_view>

#include "tuner/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

/// A communicator's place: MPICH makes two others of one that is a parent.
enum class Hierarchy {
  flat,        ///< alone, or each process alone on its node
  parent,      ///< several processes on some node
  node,        ///< those of one node, within a parent
  node_roots,  ///< one of each node, within a parent
};

/// "node_roots", as "comm_hierarchy=" asks for it.
[[nodiscard]] std::string_view name_of(Hierarchy hierarchy);

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

}  // namespace breakeven::formats::mpich
