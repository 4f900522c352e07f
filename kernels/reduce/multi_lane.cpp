// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <utility>

#include "kernels/lanes.hpp"
#include "kernels/reduce/algorithms.hpp"

namespace breakeven::kernels::reduce {

namespace {

constexpr std::string_view kOtherwise = "binomial";
constexpr std::array kParams{Lanes::kCount,
                             Param{"reduce", "the algorithm on each lane [binomial]"}};

bool can_run(const Problem& op) { return Lanes{op, kOtherwise}.can_run(); }

/// Multi-lane: the ranks of a node reduce one part of the vector each, every part is reduced
/// between nodes on a lane of its own, and the ranks of the root's node send it the results.
///
///     2 nodes   0 1 | 2 3      reduce_scatter   0 <-> 1    2 <-> 3      half of the vector
///                              reduce           0 <- 2     1 <- 3       the same half, on its lane
///                              gather           0 <- 1
///
/// Needs   any p, on any nodes.
/// Cost    on nodes of Q ranks 2 rounds of Q-1 messages of m/Q at once, and those of the algorithm
///         on the lanes with m/Q, of which there are Q at once.
/// Source  [traff2019].
Schedule build(const Problem& op) {
  const Lanes lanes{op, kOtherwise};
  Schedule schedule{.blocks = lanes.blocks(), .scratch = {}, .rounds = {}};
  const Location sum = lanes.reduce_parts(schedule);
  Location result = lanes.my_part(output(0));
  if (lanes.has_lane()) {
    if (lanes.on_roots_node() && !op.at_root()) result = lanes.room(schedule);
    lanes.run(schedule, sum, result);
  }
  if (op.at_root()) {
    Round gather;
    for (int lane = 0; lane < lanes.count(); ++lane) {
      if (lanes.is_mine(lane)) continue;
      gather.comm.emplace_back(
          Recv{lanes.mate(lane), lanes.part(output(0), lane), lanes.part_blocks()});
    }
    if (!gather.comm.empty()) schedule.rounds.push_back(std::move(gather));
  } else if (lanes.on_roots_node() && lanes.has_lane()) {
    schedule.round({Send{op.root, result, lanes.part_blocks()}});
  }
  return schedule;
}

}  // namespace

const Algorithm multi_lane{
    .name = "multi_lane",
    .requirement = kAnyProcs,
    .params = kParams,
    .params_requirement = {"an algorithm, if given, that runs on these nodes", can_run},
    .build = build,
    .source = "[traff2019]"};

}  // namespace breakeven::kernels::reduce
