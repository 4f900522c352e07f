// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/case.hpp"
#include "core/units.hpp"
#include "kernels/params.hpp"
#include "kernels/placement.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// The processes up to which all ranks' schedules are read to compare algorithms; beyond, those of
/// some ranks stand for all, so that comparing grows no faster than one rank's schedule.
inline constexpr int kMostWhole = 512;

/// The input of an algorithm, as rank `me` sees it. A schedule depends on nothing else: not on the
/// message size, the datatype or the operation.
struct Problem {
  Collective collective = Collective::allreduce;
  int procs = 1;  ///< p >= 1
  Rank me{};
  Rank root{};            ///< of rooted collectives
  Params params{};        ///< the algorithm's
  Placement placement{};  ///< which ranks share a node

  [[nodiscard]] Rank ahead(int distance) const { return {(me.value + distance) % procs}; }
  [[nodiscard]] Rank behind(int distance) const {
    return {(me.value - distance % procs + procs) % procs};
  }
  [[nodiscard]] bool at_root() const { return me == root; }

  /// The same problem of another collective, for algorithms that are sequences of others.
  [[nodiscard]] Problem as(Collective other) const {
    return {.collective = other, .procs = procs, .me = me, .root = root};
  }
};

/// The problem that rank `me`'s schedule solves in a case.
/// @throws UsageError when its parameters can't be understood.
[[nodiscard]] Problem problem_of(const Case& what, Rank me = {});

/// A case without size, datatype, operation and counts, on which no schedule depends.
[[nodiscard]] Case without_data(Case what);

/// Which of the `blocks` blocks the rank's input buffer holds before the call, and its output
/// buffer after it; the buffer's own block 0 is the first of them.
///
/// allreduce, reduce and reduce_scatter_block have the whole vector as input; reduce leaves it at
/// the root, reduce_scatter_block leaves rank r the blocks r*blocks/p ...; allgather is its
/// reverse, gather likewise with the output at the root alone; bcast and scatter have their input
/// there; scan and exscan have the whole vector as both, but for exscan's output at rank 0; an
/// alltoall's blocks are those of each rank's own vectors, one for each process; a barrier has no
/// blocks. The irregular collectives are as the regular ones.
[[nodiscard]] BlockRange input_blocks(const Problem& problem, int blocks);
[[nodiscard]] BlockRange output_blocks(const Problem& problem, int blocks);

/// How `count` elements are cut into `blocks` blocks: as evenly as possible, longer ones first.
/// Returns the first element of `block`; `block == blocks` gives `count`.
[[nodiscard]] std::int64_t first_element(std::int64_t count, int blocks, int block);

}  // namespace breakeven::kernels
