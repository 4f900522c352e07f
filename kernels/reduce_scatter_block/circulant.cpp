// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant.hpp"

#include <cmath>

#include "kernels/reduce_scatter_block/algorithms.hpp"

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// Appends the distances, seen from a rank `offset` away, of the ranks that rounds k, k+1, ...
/// reach from there: for each round the rank that it sends to, then those reached beyond it.
///
/// Round k's part has 2^(q-1-k) distances and is followed by the parts of the later rounds.
/// @see [traff2023], Listing 5
void append_reached(std::vector<int>& reached, const Circulant& graph, int offset, int k) {
  for (int round = k; round < graph.rounds(); ++round) {
    const int distance = offset + graph.jump(round);
    reached.push_back(distance);
    append_reached(reached, graph, distance, round + 1);
  }
}

/// The blocks that round 0 packs and the scratch slots that the rounds work on, for one rank.
class Packing {
 public:
  explicit Packing(const Problem& op) : op_{op}, graph_{op.procs} {
    append_reached(reached_, graph_, 0, 1);
  }

  /// Lays out the scratch slots: first what round 0 sends, then what each round receives.
  [[nodiscard]] Schedule begin() const {
    Schedule schedule{.blocks = op_.procs, .scratch = {}, .rounds = {}};
    append_slots(schedule, op_.behind(graph_.jump(0)), 0);
    for (int k = 0, later = 0; k < graph_.rounds(); ++k) {
      if (k > 0) later += sent_in(k);
      append_slots(schedule, op_.me, later);
    }
    return schedule;
  }

  [[nodiscard]] const Circulant& graph() const { return graph_; }
  /// The blocks that move in round k.
  [[nodiscard]] int sent_in(int k) const { return 1 << (graph_.rounds() - 1 - k); }
  /// The block at place `index` of those that `rank` sends after round 0, in the order of sending.
  [[nodiscard]] int block(Rank rank, int index) const {
    const int distance = reached_[static_cast<std::size_t>(index)];
    return (rank.value - distance % op_.procs + op_.procs) % op_.procs;
  }
  [[nodiscard]] int sent_later() const { return static_cast<int>(reached_.size()); }

 private:
  /// A message to `rank` holds its own block, then those that it will send on, from `first` on.
  void append_slots(Schedule& schedule, Rank rank, int first) const {
    schedule.scratch.push_back({rank.value, 1});
    for (int index = first; index < sent_later(); ++index) {
      schedule.scratch.push_back({block(rank, index), 1});
    }
  }

  Problem op_;
  Circulant graph_;
  std::vector<int> reached_;  // seen from a rank, what it reaches in the rounds after round 0
};

/// Circulant graph: round k sends to me - jump(k) the partial results for all the ranks that are
/// reached through it, in an order in which what stays to be sent is always contiguous.
///
///     p = 9   round 0 sends 8 blocks, then 4, 2, 1; the own block grows in every round
///
/// Needs   any p; a commutative operation.
/// Cost    q = ceil(lg p) rounds, (2^q - 1)/p m sent, at most as much reduced.
/// Source  [traff2023], section III-D, Listings 5 and 6, Proposition 2.
Schedule build(const Problem& op) {
  if (op.procs == 1) {
    Schedule alone;
    alone.local(Copy{input(0), output(0)});
    return alone;
  }
  const Packing packing{op};
  const Circulant& graph = packing.graph();
  Schedule schedule = packing.begin();

  const Rank first_to = op.behind(graph.jump(0));
  schedule.local(Copy{input(first_to.value), scratch(0)});
  for (int index = 0; index < packing.sent_later(); ++index) {
    schedule.local(Copy{input(packing.block(first_to, index)), scratch(1 + index)});
  }
  const int held = packing.sent_in(0);  // slot of the own block's share; the later blocks follow it
  schedule.round(
      {Send{first_to, scratch(0), held}, Recv{op.ahead(graph.jump(0)), scratch(held), held}},
      {Reduce{input(op.me.value), scratch(held), output(0)}});
  int next = held + 1;  // slot of what the next round sends
  for (int k = 1, index = 0; k < graph.rounds(); ++k) {
    for (const int end = index + packing.sent_in(k); index < end; ++index) {
      if (graph.without_own(k)) continue;
      const Location grown = scratch(next + index);
      schedule.local(Reduce{input(packing.block(op.me, index)), grown, grown});
    }
  }
  int arriving = 2 * held;
  for (int k = 1; k < graph.rounds(); ++k) {
    const int count = packing.sent_in(k);
    schedule.round({Send{op.behind(graph.jump(k)), scratch(next), count},
                    Recv{op.ahead(graph.jump(k)), scratch(arriving), count}},
                   {Reduce{scratch(arriving), output(0), output(0)}});
    next += count;
    if (count > 1)
      schedule.local(Reduce{scratch(arriving + 1), scratch(next), scratch(next), count - 1});
    arriving += count;
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  const double q = ceil_log2(op.procs);
  const double moved = (std::exp2(q) - 1) / p;
  return {.messages = q, .sent = moved, .reduced = moved, .reduced_at_most = true};
}

}  // namespace

const Algorithm circulant{
    .name = "circulant",
    .requirement = kAnyProcs,
    .build = build,
    .formula = formula,
    .formula_text = "<= q alpha + (2^q - 1)/p (m beta + m gamma), q = ceil(lg p)",
    .source = "[traff2023] III-D, Proposition 2"};

}  // namespace breakeven::kernels::reduce_scatter_block
