// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// The proven properties of a schedule.
struct Verdict {
  bool in_rank_order = true;  ///< every reduction kept the operands in rank order 0 .. p-1
  bool identical = true;      ///< ranks that end with the same block reduced it in the same pairs
  /// All blocks were reduced in the same pairs, on every rank; of a scan, all blocks of each rank.
  bool uniform = true;
  /// These are the pairs of the one tree for all p, see `Expressions::along_tree`.
  bool fixed_tree = true;
};

/// Runs the schedules of all ranks together on symbols instead of bytes and proves that every rank
/// ends with the right blocks, each rank's contribution in them exactly once; of a barrier, that no
/// rank ends before it has heard, directly or not, that every other began.
///
/// A message moves only once both sides have posted it (rendezvous), so a schedule that needs
/// buffering is a deadlock here even where a library would let it pass.
///
/// @param problem  the problem of any rank: its `me` is ignored
/// @param world    world[r] is the schedule of rank r
/// @throws VerificationError naming rank and round on: deadlock; a message without a receive or of
///         another length; a read of an empty block, or of one that a message is just writing; a
///         write to the input, outside a buffer, over a block that is being sent, or of a block
///         into a scratch slot made for another; a use of slots that take any block other than
///         from their first on; a contribution counted twice; a wrong result.
[[nodiscard]] Verdict verify(const Problem& problem, std::span<const Schedule> world);

}  // namespace breakeven::kernels
