// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "kernels/allreduce/algorithms.hpp"
#include "kernels/lanes.hpp"

namespace breakeven::kernels::allreduce {

namespace {

constexpr std::string_view kOtherwise = "recursive_doubling";
constexpr std::array kParams{Lanes::kCount,
                             Param{"allreduce", "the algorithm on each lane [recursive_doubling]"}};

bool can_run(const Problem& op) { return Lanes{op, kOtherwise}.can_run(); }

/// Multi-lane: the ranks of a node reduce one part of the vector each, every part is reduced
/// between nodes on a lane of its own, and the ranks of a node send each other the results.
///
///     2 nodes   0 1 | 2 3      reduce_scatter   0 <-> 1    2 <-> 3      half of the vector
///                              allreduce        0 <-> 2    1 <-> 3      the same half, on its lane
///                              allgather        0 <-> 1    2 <-> 3
///
/// Needs   any p, on any nodes.
/// Cost    on nodes of Q ranks 2 rounds of Q-1 messages of m/Q at once, and those of the algorithm
///         on the lanes with m/Q, of which there are Q at once.
/// Source  [traff2019].
Schedule build(const Problem& op) {
  const Lanes lanes{op, kOtherwise};
  Schedule schedule{.blocks = lanes.blocks(), .scratch = {}, .rounds = {}};
  const Location sum = lanes.reduce_parts(schedule);
  const Location result = lanes.my_part(output(0));
  if (lanes.has_lane()) lanes.run(schedule, sum, result);
  lanes.allgather_parts(schedule, result, false);
  return schedule;
}

std::vector<std::string> variants(int) { return {"allreduce=ring"}; }

}  // namespace

const Algorithm multi_lane{
    .name = "multi_lane",
    .requirement = kAnyProcs,
    .params = kParams,
    .params_requirement = {"an algorithm, if given, that runs on these nodes", can_run},
    .variants = variants,
    .bitwise_identical = true,
    .build = build,
    .source = "[traff2019]"};

}  // namespace breakeven::kernels::allreduce
