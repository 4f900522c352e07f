// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>

#include "kernels/allgather/algorithms.hpp"
#include "kernels/placement.hpp"

namespace breakeven::kernels::allgather {

namespace {

constexpr std::array kParams{
    Param{"group", "number k of consecutive ranks in a group, 1 or more [the ranks of a node]"}};

/// The groups, as if they were nodes.
Placement groups_of(const Problem& op) {
  const auto size = op.params.find_number("group", 1);
  return size ? Placement{.procs_per_node = *size, .mapping = Mapping::seq} : op.placement;
}

/// The groups in their ring, as a rank sees them.
class Groups {
 public:
  explicit Groups(const Problem& op)
      : procs_{op.procs}, groups_{groups_of(op)}, own_{groups_.node_of(op.me, procs_)} {}

  [[nodiscard]] int count() const { return groups_.nodes(procs_); }
  [[nodiscard]] RankGroup ahead(int distance) const {
    return groups_.members((own_ + distance + count()) % count(), procs_);
  }

 private:
  int procs_;
  Placement groups_;
  int own_;
};

/// The blocks of a group that come to a place of one of `size` ranks from outside.
std::vector<BlockRange> part(const RankGroup& group, int place, int size) {
  std::vector<int> blocks;
  for (; place < group.count(); place += size) blocks.push_back(group(Rank{place}).value);
  return runs_of(std::move(blocks));
}

/// Appends that the blocks of a group go around the ranks of another one.
void go_around(Schedule& schedule, const RankGroup& blocks, const RankGroup& ranks, int place) {
  const int size = ranks.count();
  const auto behind = [&](int distance) { return (place - distance + size) % size; };
  for (int step = 0; step + 1 < size; ++step) {
    Round round;
    round.send(ranks(Rank{(place + 1) % size}), Buffer::output, part(blocks, behind(step), size));
    round.recv(ranks(Rank{behind(1)}), Buffer::output, part(blocks, behind(step + 1), size));
    if (!round.comm.empty()) schedule.rounds.push_back(std::move(round));
  }
}

/// K-ring: the ranks of a group pass the group's blocks around, then each rank sends one of them to
/// the next group, which passes these around, and so on until all have come.
///
///     k = 2    0 1 | 2 3 | 4 5     within     0 <-> 1    2 <-> 3    4 <-> 5     own blocks
///                                  between    0 -> 2 -> 4 -> 0    1 -> 3 -> 5 -> 1
///                                  within     0 <-> 1    2 <-> 3    4 <-> 5     what came
///                                  ... until blocks of all groups have come
///
/// As many blocks leave each rank for another group, where the ring's leave the last rank of each
/// group alone. Where groups differ in size, a rank sends none or several of the blocks.
///
/// Needs   any p; groups are the nodes, or of k ranks.
/// Cost    p-1 rounds, p/k - 1 of them between groups, and (p-1)/p m sent, where groups are alike.
/// Source  [wilkins2023].
Schedule build(const Problem& op) {
  const Groups groups{op};
  const RankGroup mates = groups.ahead(0);
  const RankGroup next = groups.ahead(1);
  const RankGroup last = groups.ahead(-1);
  const int place = mates.place_of(op.me).value;
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(0), output(op.me.value)});
  go_around(schedule, mates, mates, place);
  for (int hop = 1; hop < groups.count(); ++hop) {
    const RankGroup sent = groups.ahead(1 - hop);
    const RankGroup received = groups.ahead(-hop);
    Round round;
    for (int to = place; to < next.count(); to += mates.count()) {
      round.send(next(Rank{to}), Buffer::output, part(sent, to, next.count()));
    }
    round.recv(last(Rank{place % last.count()}), Buffer::output,
               part(received, place, mates.count()));
    if (!round.comm.empty()) schedule.rounds.push_back(std::move(round));
    go_around(schedule, received, mates, place);
  }
  return schedule;
}

bool can_read(const Problem& op) { return groups_of(op).procs_per_node >= 0; }

std::vector<std::string> variants(int procs) {
  std::vector<std::string> texts;
  for (int size = 2; size < procs && size <= 32; size *= 4) {
    texts.push_back(fmt::format("group={}", size));
  }
  return texts;
}

Formula formula(const Problem& op) {
  if (groups_of(op).node_sizes(op.procs).size() > 1) return {};
  const double p = op.procs;
  return {.messages = p - 1, .sent = (p - 1) / p};
}

}  // namespace

const Algorithm k_ring{.name = "k_ring",
                       .requirement = kAnyProcs,
                       .params = kParams,
                       .params_requirement = {.met = can_read},
                       .variants = variants,
                       .build = build,
                       .formula = formula,
                       .formula_text = "groups of k, p/k whole: (p-1) (alpha + m/p beta)",
                       .source = "[wilkins2023]"};

}  // namespace breakeven::kernels::allgather
