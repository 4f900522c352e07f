// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/scan/hierarchical.hpp"

#include <algorithm>
#include <vector>

#include "kernels/bcast/algorithms.hpp"
#include "kernels/exscan/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"
#include "kernels/scan/algorithms.hpp"

namespace breakeven::kernels::scan {

namespace {

/// The ranks of a run, and its number among all runs.
struct Run {
  int first = 0;
  int count = 0;
  int number = 0;
};

/// The longest runs of consecutive ranks that share a node: one for each node where nodes are
/// filled one after the other, one for each rank where ranks are dealt out.
class Runs {
 public:
  explicit Runs(const Problem& op) : procs_{op.procs}, length_{length_of(op)} {
    if (length_ > 0) return;
    for (Rank rank{0}; rank.value < procs_; ++rank.value) {
      const int node = op.placement.node_of(rank, procs_);
      if (rank == Rank{0} || node != op.placement.node_of({rank.value - 1}, procs_)) {
        firsts_.push_back(rank.value);
      }
    }
  }

  [[nodiscard]] int count() const {
    return length_ > 0 ? (procs_ + length_ - 1) / length_ : static_cast<int>(firsts_.size());
  }
  [[nodiscard]] Run of(Rank rank) const {
    if (length_ > 0) return at(rank.value / length_);
    return at(static_cast<int>(std::ranges::upper_bound(firsts_, rank.value) - firsts_.begin()) -
              1);
  }
  [[nodiscard]] Rank last_of(int number) const {
    const Run run = at(number);
    return {run.first + run.count - 1};
  }

 private:
  /// 0: they differ.
  static int length_of(const Problem& op) {
    if (op.placement.nodes(op.procs) == 1) return op.procs;
    switch (op.placement.mapping.kind()) {
      case Mapping::Kind::seq: return op.placement.procs_per_node;
      case Mapping::Kind::rr: return 1;
      case Mapping::Kind::blocked: return op.placement.mapping.block();
      case Mapping::Kind::irregular: break;
    }
    return 0;
  }
  [[nodiscard]] Run at(int number) const {
    if (length_ > 0) {
      const int first = number * length_;
      return {first, std::min(length_, procs_ - first), number};
    }
    const auto index = static_cast<std::size_t>(number);
    const int end = index + 1 < firsts_.size() ? firsts_[index + 1] : procs_;
    return {firsts_[index], end - firsts_[index], number};
  }

  int procs_;
  int length_;
  std::vector<int> firsts_{};
};

/// Its input and output are at these places of the whole, its scratch is of its own.
void add_phase(Schedule& whole, const Schedule& phase, Location from, Location into) {
  const int slots = scratch_slots(whole);
  whole.scratch.insert(whole.scratch.end(), phase.scratch.begin(), phase.scratch.end());
  append(whole, phase, [&](Location at) {
    switch (at.buffer) {
      case Buffer::input: return from;
      case Buffer::output: return into;
      case Buffer::scratch: break;
    }
    return scratch(slots + at.block);
  });
}

}  // namespace

/// Hierarchical: the ranks of a node do the scan; the nodes' last ranks do an exscan of the nodes'
/// combinations and broadcast its result, which the ranks of each node add to their own.
///
///     2 nodes   0 1 2 | 3 4 5      scan on each    0 01 012     3 34 345
///                                  exscan          2 -> 5
///                                  bcast           5 -> 3 4     012
///
/// Between nodes there are only the last ranks' messages. Nodes whose ranks are no neighbours are
/// taken for several.
///
/// Needs   any p, on any nodes.
/// Cost    the costs of its three phases in turn, and a reduction of m.
/// Source  [sanders2006], section 3, with 123-doubling between nodes.
Schedule on_nodes(const Problem& op) {
  const bool inclusive = op.collective == Collective::scan;
  const Algorithm& scan_on_node = inclusive ? doubling : exscan::doubling_123;
  const Runs runs{op};
  if (runs.count() == 1) return scan_on_node.build(op);
  const Run run = runs.of(op.me);
  const bool first = op.me.value == run.first;
  const bool last = op.me.value == run.first + run.count - 1;
  Problem on_node{.collective = op.collective,
                  .procs = run.count,
                  .me = {op.me.value - run.first},
                  .root = {run.count - 1}};
  const auto in_run = [&run](Rank rank) { return Rank{run.first + rank.value}; };
  const auto last_of = [&runs](Rank rank) { return runs.last_of(rank.value); };

  // Slots of the phases come after the combination of the node and that of those before it.
  Schedule whole{.blocks = 1, .scratch = {{0, 1}, {0, 1}}, .rounds = {}};
  const Location before = !inclusive && first ? output(0) : scratch(1);
  add_phase(whole, on_group(scan_on_node.build(on_node), in_run), input(0), output(0));
  if (last) {
    Location combination = inclusive ? output(0) : input(0);
    if (!inclusive && !first) {
      combination = scratch(0);
      whole.local(Reduce{output(0), input(0), combination});
    }
    const Problem between{
        .collective = Collective::exscan, .procs = runs.count(), .me = {run.number}};
    add_phase(whole, on_group(exscan::doubling_123.build(between), last_of), combination, before);
  }
  if (run.number == 0) return whole;
  on_node.collective = Collective::bcast;
  add_phase(whole, on_group(bcast::binomial.build(on_node), in_run), before, before);
  if (inclusive || !first) whole.local(Reduce{before, output(0), output(0)});
  return whole;
}

const Algorithm hierarchical{.name = "hierarchical",
                             .requirement = kAnyProcs,
                             .order_preserving = true,
                             .reorderable = false,
                             .build = on_nodes,
                             .source = "[sanders2006] 3"};

}  // namespace breakeven::kernels::scan
