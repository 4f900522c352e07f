// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reduce/algorithms.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// Where a rank stands in the tree: its subtree has the ranks from `first` to itself.
struct Place {
  int first = 0;
  Rank parent{};
};

Place place_of(const Problem& op) {
  Place place{.first = 0, .parent = op.root};
  int last = op.procs - 1;
  while (last != op.me.value) {
    place.parent = {last};
    const int second = place.first + (last - place.first + 1) / 2;  // where the second half begins
    if (op.me.value < second) {
      last = second - 1;
    } else {
      place.first = second;
      --last;
    }
  }
  return place;
}

/// Binary tree in rank order: a subtree has consecutive ranks, of which the last one adds its
/// vector to what the last ranks of the two halves before it have. Rank p-1 sends the result to the
/// root.
///
///     p = 7     0, 1 -> 2      3, 4 -> 5      2, 5 -> 6      operands 0 1 2 | 3 4 5 | 6
///
/// Needs   any p.
/// Cost    at most floor(lg p) rounds of two messages of m, and one for a root other than p-1.
/// Source  [pjesivac2007], binary tree for operations that do not commute.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = 1, .scratch = {{0, 1}, {0, 1}, {0, 1}}, .rounds = {}};
  const int me = op.me.value;
  const bool last = me + 1 == op.procs;
  const Place place = place_of(op);
  const Location reduced = last && op.at_root() ? output(0) : scratch(0);
  Location partial = input(0);
  if (place.first < me) {
    Round& round = schedule.rounds.emplace_back();
    const int second = place.first + (me - place.first + 1) / 2;
    Location before = scratch(1);
    round.comm.emplace_back(Recv{Rank{second - 1}, before});
    if (second < me) {
      round.comm.emplace_back(Recv{Rank{me - 1}, scratch(2)});
      round.local.emplace_back(Reduce{before, scratch(2), reduced});
      before = reduced;
    }
    round.local.emplace_back(Reduce{before, input(0), reduced});
    partial = reduced;
  }
  if (!last || !op.at_root()) schedule.round({Send{place.parent, partial}});
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  if (!last && op.at_root()) schedule.round({Recv{Rank{op.procs - 1}, output(0)}});
  return schedule;
}

}  // namespace

const Algorithm in_order_binary{.name = "in_order_binary",
                                .requirement = kAnyProcs,
                                .order_preserving = true,
                                .segments = true,
                                .build = build,
                                .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::reduce
