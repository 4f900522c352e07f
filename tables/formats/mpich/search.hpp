// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "tables/formats/common/emitted.hpp"
#include "tables/formats/mpich/known.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

/// How MPICH finds an algorithm in a tree.
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

/// A question on the way to a leaf.
struct Step {
  Question asked{};
  bool held = false;
  std::optional<std::int64_t> most{};  ///< of a limit: the largest number that it lets pass
};

/// Where a search ends. Views are into the tree.
struct Found {
  const Node* leaf = nullptr;  ///< null where it comes to none
  std::vector<Step> way{};     ///< without the collective
};

/// The leaf that the library comes to. Where there is none it aborts, of the MPIR tree, or takes
/// the flat way, of the CH4 tree.
///
/// As in MPICH 4.0 to 4.2: questions about the communicator alone, from the root on, are answered
/// when the communicator is made, the rest at each call; there "comm_size<8" lets 8 pass as well.
/// @pre check_tree found no fault
[[nodiscard]] Found search(const Chain& tree, const Call& call);

/// The number that a question compares with its limit: "comm_size", "avg_msg_size", ...
[[nodiscard]] std::int64_t measure(std::string_view of, const Call& call);

/// Lets a tree without faults answer for calls with an operation of MPI's own, equal counts and
/// separate buffers; notes tell of others. A leaf that Breakeven left as it is in the library's
/// tree is no choice of the file.
/// @param text  of the file, whose head tells whether Breakeven wrote it
void answer_by(Chain tree, Layer layer, std::string_view text, ReadTable& read);

}  // namespace breakeven::formats::mpich
