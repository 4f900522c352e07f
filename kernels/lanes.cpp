// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/lanes.hpp"

#include <algorithm>
#include <vector>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

Lanes::Lanes(const Problem& op, std::string_view otherwise)
    : op_{op},
      mates_{op.placement.members(op.placement.node_of(op.me, op.procs), op.procs)},
      place_{mates_.place_of(op.me).value} {
  const int most = op.placement.node_sizes(op.procs).back();
  count_ = std::min(op.params.find_number(kCount.key, 1).value_or(most), most);
  const auto asked = op.params.find(kCollectives.of(op.collective));
  auto [algorithm, params] =
      find_instance(op.collective, Variant::parse(asked.value_or(otherwise)));
  algorithm_ = algorithm;
  lane_ = {.collective = op.collective,
           .procs = op.placement.nodes(op.procs),
           .me = {op.placement.node_of(op.me, op.procs)},
           .root = {op.placement.node_of(op.root, op.procs)},
           .params = std::move(params),
           .placement = {.procs_per_node = 1}};
  if (can_run()) part_blocks_ = build_schedule(*algorithm_, lane_).blocks;
}

bool Lanes::can_run() const { return runs(*algorithm_, lane_); }

Location Lanes::part(Location whole, int lane) const {
  return {whole.buffer, whole.block + lane * part_blocks_};
}

Location Lanes::room(Schedule& schedule) const {
  const int slot = scratch_slots(schedule);
  schedule.scratch.push_back({place_ * part_blocks_, part_blocks_});
  return scratch(slot);
}

Location Lanes::reduce_parts(Schedule& schedule) const {
  Round round;
  for (int lane = 0; lane < count_; ++lane) {
    if (is_mine(lane)) continue;
    round.comm.emplace_back(Send{mate(lane), part(input(0), lane), part_blocks_});
  }
  Location sum = my_part(input(0));
  if (has_lane() && mates_.count() > 1) {
    std::vector<Location> parts;
    Location arrival{Buffer::scratch, scratch_slots(schedule)};
    for (int place = 0; place < mates_.count(); ++place) {
      parts.push_back(is_mine(place) ? sum : arrival);
      if (is_mine(place)) continue;
      round.comm.emplace_back(Recv{mate(place), arrival, part_blocks_});
      schedule.scratch.push_back({place_ * part_blocks_, part_blocks_});
      arrival.block += part_blocks_;
    }
    sum = room(schedule);
    round.local.emplace_back(Reduce{parts[0], parts[1], sum, part_blocks_});
    for (std::size_t i = 2; i < parts.size(); ++i) {
      round.local.emplace_back(Reduce{sum, parts[i], sum, part_blocks_});
    }
  }
  if (!round.comm.empty()) schedule.rounds.push_back(std::move(round));
  return sum;
}

void Lanes::run(Schedule& schedule, Location from, Location into) const {
  const Schedule lane = on_group(build_schedule(*algorithm_, lane_), [this](Rank node) {
    return op_.placement.members(node.value, op_.procs)(Rank{place_});
  });
  const Location own{Buffer::scratch, scratch_slots(schedule)};
  for (ScratchRun run : lane.scratch) {
    if (run.first_block != ScratchRun::kAnyBlock) run.first_block += place_ * part_blocks_;
    schedule.scratch.push_back(run);
  }
  append(schedule, lane, [&](Location at) -> Location {
    const Location& begin = at.buffer == Buffer::input    ? from
                            : at.buffer == Buffer::output ? into
                                                          : own;
    return {begin.buffer, begin.block + at.block};
  });
}

void Lanes::allgather_parts(Schedule& schedule, Location mine, bool all_at_root) const {
  Round round;
  for (int place = 0; has_lane() && place < mates_.count(); ++place) {
    if (is_mine(place) || (all_at_root && mate(place) == op_.root)) continue;
    round.comm.emplace_back(Send{mate(place), mine, part_blocks_});
  }
  for (int lane = 0; lane < count_ && !(all_at_root && op_.at_root()); ++lane) {
    if (is_mine(lane)) continue;
    round.comm.emplace_back(Recv{mate(lane), part(output(0), lane), part_blocks_});
  }
  if (!round.comm.empty()) schedule.rounds.push_back(std::move(round));
}

}  // namespace breakeven::kernels
