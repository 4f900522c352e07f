// SPDX-License-Identifier: BSD-3-Clause
#include <bit>
#include <cstddef>
#include <utility>

#include "kernels/fold.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// Fixed tree: the binomial tree towards rank 0, which sends the result to the root. So operands
/// stay in rank order, and those of the ranks below p meet in the same pairs at every p and root.
///
/// Needs   any p.
/// Cost    that of `binomial`, and a message of m for a root other than rank 0.
/// Source  [rabenseifner2004], section 2.3; the aim: [balaji2013].
Schedule build(const Problem& op) {
  Problem towards = op;
  towards.root = {0};
  Schedule schedule = binomial.build(towards);
  if (op.root == towards.root) return schedule;
  if (towards.at_root()) {
    const Location result = scratch(scratch_slots(schedule));
    schedule = without_output(std::move(schedule));
    schedule.round({Send{op.root, result}});
    return schedule;
  }
  // In segments, the sides of each message are to be as far as each other: the root, which waits
  // for rank 0, would otherwise wait while rank 0 waits for the parent of the root's own message.
  const auto level = static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(op.me.value)));
  schedule.rounds.insert(schedule.rounds.end() - 1, level + 1 - schedule.rounds.size(), Round{});
  if (op.at_root()) {
    schedule.rounds.resize(static_cast<std::size_t>(ceil_log2(op.procs)));
    schedule.round({Recv{towards.root, output(0)}});
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const Formula towards = binomial.formula(op);
  if (op.root.value == 0) return towards;
  return towards +
         Formula{.messages = 1, .sent = 1, .reduced = 0, .one_way_messages = 1, .one_way_sent = 1};
}

}  // namespace

const Algorithm fixed_tree{.name = "fixed_tree",
                           .requirement = kAnyProcs,
                           .order_preserving = true,
                           .fixed_tree = true,
                           .segments = true,
                           .build = build,
                           .formula = formula,
                           .formula_text =
                               "root 0: ceil(lg p) (fa alpha + fb m beta + m gamma); "
                               "others: + fa alpha + fb m beta",
                           .source = "[rabenseifner2004] 2.3; [balaji2013]"};

}  // namespace breakeven::kernels::reduce
