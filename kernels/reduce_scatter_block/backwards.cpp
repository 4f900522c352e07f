// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reduce_scatter_block/backwards.hpp"

#include <algorithm>
#include <ranges>

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// Scratch slots for some of the blocks, in their order.
class Slots {
 public:
  void want(int block) {
    const auto at = static_cast<std::size_t>(block);
    if (at >= slots_.size()) slots_.resize(at + 1, kNone);
    slots_[at] = kWanted;
  }
  /// Adds the slots that are wanted to a schedule's.
  void lay_out(Schedule& schedule) {
    int next = scratch_slots(schedule);
    std::vector<int> wanted;
    for (std::size_t block = 0; block < slots_.size(); ++block) {
      if (slots_[block] == kNone) continue;
      slots_[block] = next++;
      wanted.push_back(static_cast<int>(block));
    }
    for (const auto& [first, count] : runs_in_order(wanted)) {
      schedule.scratch.push_back({first, count});
    }
  }
  /// @pre laid out
  [[nodiscard]] int at(int block) const { return slots_[static_cast<std::size_t>(block)]; }

 private:
  static constexpr int kNone = -1;
  static constexpr int kWanted = 0;
  std::vector<int> slots_{};  ///< by block
};

/// One rank's way back, gone twice: first to see which slots it wants, then to build the schedule.
class WayBack {
 public:
  WayBack(const Schedule& forth, const Problem& op)
      : forth_{forth}, own_{input_blocks(op, forth.blocks)} {}

  [[nodiscard]] Schedule schedule() {
    go();
    partial_.lay_out(back_);
    for (Slots& slots : arrivals_) slots.lay_out(back_);
    laid_out_ = true;
    go();
    return std::move(back_);
  }

 private:
  void go() {
    reduced_.assign(static_cast<std::size_t>(forth_.blocks), false);
    arrived_.assign(static_cast<std::size_t>(forth_.blocks), 0);
    for (const Round& round : forth_.rounds | std::views::reverse) {
      if (round.comm.empty()) continue;
      Round turned;
      for_messages(round.comm, [&](Message message) {
        if (sends(message)) {
          receive(turned, message);
        } else {
          send(turned, message);
        }
      });
      for (const int block : touched_) arrived_[static_cast<std::size_t>(block)] = 0;
      touched_.clear();
      if (laid_out_) back_.rounds.push_back(std::move(turned));
    }
    if (!reduced(own_.first) && laid_out_) {
      back_.local(Copy{input(own_.first), output(0), own_.count});
    }
  }

  /// The blocks of a message of the allgather.
  [[nodiscard]] std::vector<int> blocks_of(Message message) const {
    std::vector<int> blocks;
    for (const Comm& comm : message) {
      const auto [at, count] =
          std::visit([](const auto& run) { return std::pair{place_of(run), run.count}; }, comm);
      const int first = at.block + (at.buffer == Buffer::input ? own_.first : 0);
      for (int i = 0; i < count; ++i) blocks.push_back(first + i);
    }
    return blocks;
  }
  static Location place_of(const Send& run) { return run.from; }
  static Location place_of(const Recv& run) { return run.into; }

  [[nodiscard]] bool is_own(int block) const {
    return own_.first <= block && block < own_.first + own_.count;
  }
  [[nodiscard]] std::vector<bool>::reference reduced(int block) {
    return reduced_[static_cast<std::size_t>(block)];
  }
  [[nodiscard]] Location partial(int block) const {
    return is_own(block) ? output(block - own_.first) : scratch(partial_.at(block));
  }

  void send(Round& round, Message message) {
    std::vector<int> blocks = blocks_of(message);
    const bool in_input = std::ranges::none_of(blocks, [&](int block) { return reduced(block); });
    for (int& block : blocks) {
      if (in_input) break;
      if (!laid_out_) partial_.want(block);
      if (laid_out_ && !reduced(block)) back_.local(Copy{input(block), partial(block)});
      if (laid_out_) block = partial_.at(block);
    }
    if (!laid_out_) return;
    round.send(std::get<Recv>(message.front()).source, in_input ? Buffer::input : Buffer::scratch,
               runs_in_order(blocks));
  }

  void receive(Round& round, Message message) {
    std::vector<int> slots;
    for (const int block : blocks_of(message)) {
      const bool first = !reduced(block);
      Slots& into = first && !is_own(block) ? partial_ : arrivals(block);
      reduced(block) = true;
      if (!laid_out_) {
        into.want(block);
        continue;
      }
      slots.push_back(into.at(block));
      const Location arrived = scratch(slots.back());
      const Location sum = &into == &partial_ ? arrived : partial(block);
      add(round, {.a = first ? input(block) : sum, .b = arrived, .into = sum});
    }
    round.recv(std::get<Send>(message.front()).to, Buffer::scratch, runs_in_order(slots));
  }

  /// The slots of what arrives in the same round as others of the block.
  [[nodiscard]] Slots& arrivals(int block) {
    const int others = arrived_[static_cast<std::size_t>(block)]++;
    touched_.push_back(block);
    if (others == std::ssize(arrivals_)) arrivals_.emplace_back();
    return arrivals_[static_cast<std::size_t>(others)];
  }

  /// Appends a step, together with the last one where it goes on from there.
  static void add(Round& round, const Reduce& step) {
    auto* last = round.local.empty() ? nullptr : std::get_if<Reduce>(&round.local.back());
    const auto goes_on = [&](Location before, Location at) {
      return before.buffer == at.buffer && before.block + last->count == at.block;
    };
    if (last != nullptr && goes_on(last->a, step.a) && goes_on(last->b, step.b) &&
        goes_on(last->into, step.into)) {
      ++last->count;
    } else {
      round.local.emplace_back(step);
    }
  }

  const Schedule& forth_;
  BlockRange own_;
  Slots partial_{};
  std::vector<Slots> arrivals_{};
  std::vector<bool> reduced_{};  ///< by block
  std::vector<int> arrived_{};   ///< by block, in the round, without a first one
  std::vector<int> touched_{};   ///< the blocks that arrived
  Schedule back_{.blocks = forth_.blocks, .scratch = {}, .rounds = {}};
  bool laid_out_ = false;
};

}  // namespace

Schedule backwards(const Algorithm& allgather, Problem op) {
  op.collective = Collective::allgather;
  return WayBack{allgather.build(op), op}.schedule();
}

Formula backwards_formula(const Algorithm& allgather, const Problem& op) {
  Formula formula = allgather.formula(op);
  formula.reduced = formula.sent;
  return formula;
}

}  // namespace breakeven::kernels::reduce_scatter_block
