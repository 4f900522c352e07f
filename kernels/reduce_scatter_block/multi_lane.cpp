// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/reduce_scatter_block/backwards.hpp"

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// Multi-lane: the ranks of a node send each other their parts of what is for the ranks at one
/// place of each node, and reduce them; then the ranks at one place of each node do a
/// reduce-scatter, all places at once.
///
///     2 nodes   0 1 | 2 3      within     0 <-> 1    2 <-> 3       2 blocks
///                              between    0 <-> 2    1 <-> 3       1 block each way
///
/// It is the allgather backwards: on nodes with more ranks than others some ranks get their block
/// from one with a lane after.
///
/// Needs   any p, on any nodes; a commutative operation.
/// Cost    on N nodes of Q ranks one round of Q-1 messages at once and ceil(lg N); (N-1)/p m sent
///         between nodes, (Q-1)/Q m on them, as much reduced.
/// Source  [traff2019].
Schedule build(const Problem& op) { return backwards(allgather::multi_lane, op); }

}  // namespace

const Algorithm multi_lane{
    .name = "multi_lane", .requirement = kAnyProcs, .build = build, .source = "[traff2019]"};

}  // namespace breakeven::kernels::reduce_scatter_block
