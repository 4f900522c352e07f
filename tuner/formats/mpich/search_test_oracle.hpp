// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "core/case.hpp"
#include "tuner/formats/mpich/selection_tree.hpp"
#include "tuner/formats/mpich/specialise.hpp"

/// How MPICH finds an algorithm in a tree: what tests ask the trees that are written.
namespace breakeven::formats::mpich {

/// A call as the library sees it when it searches a tree.
struct Call {
  std::string collective{};
  bool between_groups = false;  ///< an intercommunicator
  int procs = 1;
  int nodes = 1;
  Hierarchy hierarchy = Hierarchy::flat;
  bool node_consecutive = false;  ///< of a parent: ranks fill a node before the next one
  std::int64_t count = 0;         ///< as MPI's argument; of irregular collectives the mean
  std::int64_t extent = 1;        ///< bytes of an element
  bool commutative = true;
  bool built_in = true;  ///< the operation
  bool regular_blocks = true;
  bool in_place = false;
  bool threaded = false;
};

/// The call that a problem is, with a built-in operation and separate buffers.
[[nodiscard]] Call call_of(const Case& problem);

/// The leaf that the library comes to; null where it comes to none: in the MPIR tree it aborts
/// then, in the CH4 tree it takes the flat way.
///
/// As in MPICH 4.0 to 4.2: what is asked of the communicator alone, from the root on, is answered
/// when the communicator is made, the rest at each call; there "comm_size<8" lets 8 pass as well.
/// @pre check_tree found no fault
[[nodiscard]] const Node* search(const Chain& tree, const Call& call);

}  // namespace breakeven::formats::mpich
