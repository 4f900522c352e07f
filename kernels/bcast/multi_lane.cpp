// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <utility>

#include "kernels/bcast/algorithms.hpp"
#include "kernels/lanes.hpp"

namespace breakeven::kernels::bcast {

namespace {

constexpr std::string_view kOtherwise = "binomial";
constexpr std::array kParams{Lanes::kCount,
                             Param{"bcast", "the algorithm on each lane [binomial]"}};

bool can_run(const Problem& op) { return Lanes{op, kOtherwise}.can_run(); }

/// Multi-lane: the root scatters the vector to the ranks of its node, every part is broadcast
/// between nodes on a lane of its own, and the ranks of a node send each other their parts.
///
///     2 nodes   0 1 | 2 3      scatter      0 -> 1                  half of the vector
///                              bcast        0 -> 2    1 -> 3        on its lane
///                              allgather    0 -> 1    2 <-> 3       not to the root
///
/// Needs   any p, on any nodes.
/// Cost    on nodes of Q ranks 2 rounds of Q-1 messages of m/Q at once, and those of the algorithm
///         on the lanes with m/Q, of which there are Q at once.
/// Source  [traff2019].
Schedule build(const Problem& op) {
  const Lanes lanes{op, kOtherwise};
  Schedule schedule{.blocks = lanes.blocks(), .scratch = {}, .rounds = {}};
  const Location result = lanes.my_part(output(0));
  Location mine = result;
  if (op.at_root()) {
    mine = lanes.my_part(input(0));
    Round scatter;
    for (int lane = 0; lane < lanes.count(); ++lane) {
      if (lanes.is_mine(lane)) continue;
      scatter.comm.emplace_back(
          Send{lanes.mate(lane), lanes.part(input(0), lane), lanes.part_blocks()});
    }
    if (!scatter.comm.empty()) schedule.rounds.push_back(std::move(scatter));
  } else if (lanes.on_roots_node() && lanes.has_lane()) {
    mine = lanes.room(schedule);
    schedule.round({Recv{op.root, mine, lanes.part_blocks()}});
  }
  if (lanes.has_lane()) lanes.run(schedule, mine, result);
  lanes.allgather_parts(schedule, mine, true);
  for (int lane = 0; op.at_root() && lane < lanes.count(); ++lane) {
    if (lanes.is_mine(lane)) continue;
    schedule.local(
        Copy{lanes.part(input(0), lane), lanes.part(output(0), lane), lanes.part_blocks()});
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

}  // namespace breakeven::kernels::bcast
