// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bine.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "kernels/alltoall/algorithms.hpp"

namespace breakeven::kernels::alltoall {

namespace {

/// A block on its way, and where it lies now.
struct Travelling {
  Rank source{};
  Rank to{};
  Location at{};
};

/// One of the ranks that stay, with the blocks that it has: by source, then by destination.
class Hands {
 public:
  explicit Hands(const Problem& op) : op_{op}, fold_{op.procs} {}

  /// Takes the own blocks, and those of a partner that leaves.
  void begin() {
    take(op_.me);
    schedule_.local(Copy{input(0), scratch(0), op_.procs});
    if (!fold_.paired(op_.me)) return;
    take(partner());
    schedule_.round({Recv{partner(), scratch(op_.procs), op_.procs}});
  }

  /// Swaps blocks with the partner of a step: each gets those for ranks that it will reach. In the
  /// last step they are at their destination, but for those for a partner that has left.
  void swap(int step) {
    const int me = fold_.number(op_.me);
    const int other = bine_partner(me, step, fold_.stay());
    const std::vector<BlockRange> theirs = bine_blocks(fold_, other, step + 1);
    std::vector<Travelling> kept;
    std::vector<int> sent;
    for (const Travelling& block : blocks_) {
      if (holds(theirs, block.to)) {
        sent.push_back(block.at.block);
      } else {
        kept.push_back(block);
      }
    }
    blocks_ = std::move(kept);
    const bool there = 2 << step == fold_.stay() && !fold_.paired(op_.me);
    const std::vector<BlockRange> mine = bine_blocks(fold_, me, step + 1);
    std::vector<int> received;
    for (const int source : bine_sources(fold_, other, step)) {
      for (const auto& [first, count] : mine) {
        for (int to = first; to < first + count; ++to) {
          const Location at = there ? output(source) : scratch(free_slot());
          received.push_back(at.block);
          blocks_.push_back({{source}, {to}, at});
        }
      }
    }
    std::ranges::sort(blocks_, {}, [](const Travelling& b) { return std::pair{b.source, b.to}; });
    free_.insert(free_.end(), sent.begin(), sent.end());  // from the next round on
    Round& round = schedule_.rounds.emplace_back();
    round.send(fold_.rank(other), Buffer::scratch, runs_in_order(sent));
    round.recv(fold_.rank(other), there ? Buffer::output : Buffer::scratch,
               runs_in_order(received));
  }

  /// Hands over a partner's blocks, and puts the own ones in their places.
  [[nodiscard]] Schedule end() && {
    std::vector<int> of_partner;
    for (const Travelling& block : blocks_) {
      if (block.to != op_.me) of_partner.push_back(block.at.block);
    }
    if (!of_partner.empty()) {
      schedule_.rounds.emplace_back().send(partner(), Buffer::scratch, runs_in_order(of_partner));
    }
    for (const Travelling& block : blocks_) {
      const bool there = block.at.buffer == Buffer::output;
      if (block.to == op_.me && !there) schedule_.local(Copy{block.at, output(block.source.value)});
    }
    for (int first = 0; first < slots_; first += op_.procs) {
      schedule_.scratch.push_back({0, std::min(op_.procs, slots_ - first)});
    }
    return std::move(schedule_);
  }

 private:
  [[nodiscard]] Rank partner() const { return Fold::partner(op_.me); }
  /// Whether the rank is in one of these ranges, which are in ascending order.
  static bool holds(const std::vector<BlockRange>& ranges, Rank rank) {
    const auto next = std::ranges::upper_bound(ranges, rank.value, {}, &BlockRange::first);
    return next != ranges.begin() && rank.value < std::prev(next)->first + std::prev(next)->count;
  }
  /// New slots for a rank's blocks.
  void take(Rank source) {
    for (int to = 0; to < op_.procs; ++to) blocks_.push_back({source, {to}, scratch(slots_++)});
  }
  int free_slot() {
    if (free_.empty()) return slots_++;
    const int slot = free_.front();
    free_.pop_front();
    return slot;
  }

  const Problem& op_;
  Fold fold_;
  std::vector<Travelling> blocks_{};
  std::deque<int> free_{};  ///< slots whose blocks were sent
  int slots_ = 0;
  Schedule schedule_{.blocks = op_.procs, .scratch = {}, .rounds = {}};
};

/// Bine butterfly: in each step partners swap the blocks for the ranks that the other one reaches
/// in the steps that follow, half of all that they have, the nearest partners first.
///
///     p = 4    step 0    0 <-> 1    2 <-> 3     2 own blocks each way: 0 sends those for 1 and 2
///              step 1    0 <-> 3    1 <-> 2     1 own block and 1 that came: of 0 and 1 for 3
///
/// Blocks that are no neighbours go in one message. For other p the odd ranks of the first pairs
/// hand in their blocks before and get the others' after.
///
/// Needs   any p.
/// Cost    lg p rounds of m/2; m copied before and m/2 after. For other p two rounds of m more, and
///         pairs move up to four blocks where others move one.
/// Source  [desensi2025].
Schedule build(const Problem& op) {
  const Fold fold{op.procs};
  if (fold.leaves(op.me)) {
    const Rank partner = Fold::partner(op.me);
    Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
    schedule.round({Send{partner, input(0), op.procs}});
    schedule.round({Recv{partner, output(0), op.procs}});
    return schedule;
  }
  Hands hands{op};
  hands.begin();
  for (int step = 0; 1 << step < fold.stay(); ++step) hands.swap(step);
  return std::move(hands).end();
}

Formula formula(const Problem& op) {
  if (!kPowerOfTwo.met(op.procs)) return {};
  const double steps = ceil_log2(op.procs);
  return {.messages = steps, .sent = steps / 2};
}

}  // namespace

const Algorithm bine{.name = "bine",
                     .requirement = kAnyProcs,
                     .build = build,
                     .formula = formula,
                     .formula_text = "p = 2^k: lg p (alpha + m beta / 2)",
                     .source = "[desensi2025]"};

}  // namespace breakeven::kernels::alltoall
