// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant.hpp"

#include "kernels/allgather/algorithms.hpp"
#include "kernels/ring_range.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Half of the blocks: they are collected where they belong in the output, or in scratch when they
/// run past rank p-1 and would not be contiguous there.
class Half {
 public:
  Half(Rank first, int count, int procs) : first_{first}, range_{first, count, procs} {}

  [[nodiscard]] Location at(int index) const {
    return range_.wraps() ? scratch(index) : output(first_.value + index);
  }
  void take_scratch(Schedule& schedule) const {
    if (range_.wraps()) schedule.scratch = range_.slots();
  }
  void put_in_place(Schedule& schedule) const {
    if (!range_.wraps()) return;
    int slot = 0;
    for (const auto& [first, count] : range_.runs()) {
      schedule.local(Copy{scratch(slot), output(first), count});
      slot += count;
    }
  }

 private:
  Rank first_;
  RingRange range_;
};

/// Circulant graph: round k receives from me + jump(k) the blocks of the ranks from me + skips[k]
/// on, up to me + skips[k+1]. Blocks are sent from the first half, the last round fills the second;
/// only one of the halves can run past rank p-1, so at most one is copied.
///
///     p = 9, rank 6    6 | 7 | 8 | 0 1 |  2 3 4 5      round 0 | 1 | 2 | 3
///                      first half: scratch  second: output
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, (p-1)/p m sent; at most ceil(p/2) blocks copied at the end.
/// Source  [traff2023], section III-E, Listing 7, Proposition 3.
Schedule build(const Problem& op) {
  const Circulant graph{op.procs};
  const int q = graph.rounds();
  const int known_before_last = q == 0 ? 1 : graph.skip(q - 1);
  const Half first{op.me, known_before_last, op.procs};
  const Half second{op.ahead(known_before_last), op.procs - known_before_last, op.procs};
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  first.take_scratch(schedule);
  second.take_scratch(schedule);

  schedule.local(Copy{input(0), first.at(0)});
  for (int k = 0; k < q; ++k) {
    const int count = graph.skip(k + 1) - graph.skip(k);
    schedule.round(
        {Send{op.behind(graph.jump(k)), first.at(graph.without_own(k) ? 1 : 0), count},
         Recv{op.ahead(graph.jump(k)), k + 1 < q ? first.at(graph.skip(k)) : second.at(0), count}});
  }
  first.put_in_place(schedule);
  second.put_in_place(schedule);
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = ceil_log2(op.procs), .sent = (p - 1) / p};
}

}  // namespace

const Algorithm circulant{.name = "circulant",
                          .requirement = kAnyProcs,
                          .build = build,
                          .formula = formula,
                          .formula_text = "ceil(lg p) alpha + (p-1)/p m beta",
                          .source = "[traff2023] III-E, Proposition 3"};

}  // namespace breakeven::kernels::allgather
