// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bruck.hpp"

#include <utility>

#include "kernels/alltoall/algorithms.hpp"

namespace breakeven::kernels::alltoall {

namespace {

/// Bruck: the block for the rank w ahead travels by the digits of w in base r: in round k it goes
/// d r^k ranks ahead, where d is its k-th digit. Blocks with the same digit travel together.
///
///     p = 5, r = 2      w        1   2   3   4
///     round 0, +1       moves    x       x
///     round 1, +2       moves        x   x
///     round 2, +4       moves                x
///
/// Blocks of the first round are sent from the input, those of the last one arrive in the output.
/// Other arrivals stay in their place until they are packed again or copied to the output.
///
/// Needs   any p.
/// Cost    ceil(log_r p) rounds of at most r-1 messages at once; for r = 2 and p a power of two,
///         lg p / 2 m sent.
/// Source  [bruck1997], section 3, the index operation.
class Bruck {
 public:
  explicit Bruck(const Problem& op) : op_{op}, radix_{bruck_radix::radix_of(op)} {
    for (int w = 0; w < op.procs; ++w) block_at_.push_back(input(op.ahead(w).value));
  }

  [[nodiscard]] Schedule build() && {
    schedule_.local(Copy{input(op_.me.value), output(op_.me.value)});
    for (std::int64_t place = 1; place < op_.procs; place *= radix_) {  // r^k
      Round round;
      for (int digit = 1; digit < radix_ && digit * place < op_.procs; ++digit) {
        const std::vector<int> travel = with_digit(place, digit);
        const int distance = digit * static_cast<int>(place);
        send(round, op_.ahead(distance), travel, place == 1);
        recv(round, op_.behind(distance), travel, place * radix_);
      }
      schedule_.rounds.push_back(std::move(round));
    }
    return std::move(schedule_);
  }

 private:
  [[nodiscard]] std::vector<int> with_digit(std::int64_t place, int digit) const {
    std::vector<int> travel;
    for (int w = 0; w < op_.procs; ++w) {
      if (w / place % radix_ == digit) travel.push_back(w);
    }
    return travel;
  }
  [[nodiscard]] Location& block_at(int w) { return block_at_[static_cast<std::size_t>(w)]; }
  [[nodiscard]] Location new_slots(int count) {
    schedule_.scratch.push_back({0, count});
    return scratch(std::exchange(slots_, slots_ + count));
  }

  void send(Round& round, Rank to, const std::vector<int>& travel, bool all_of_input) {
    if (all_of_input) {
      std::vector<int> blocks;
      for (const int w : travel) blocks.push_back(op_.ahead(w).value);
      round.send(to, Buffer::input, runs_in_order(blocks));
      return;
    }
    const auto count = static_cast<int>(travel.size());
    const Location packed = new_slots(count);
    for (int i = 0; i < count; ++i) {
      const int w = travel[static_cast<std::size_t>(i)];
      schedule_.local(Copy{block_at(w), scratch(packed.block + i)});
    }
    round.comm.emplace_back(Send{to, packed, count});
  }

  /// @param there  blocks for the ranks that are less than this ahead have no way left
  void recv(Round& round, Rank source, const std::vector<int>& travel, std::int64_t there) {
    if (there >= op_.procs) {
      std::vector<int> blocks;
      for (const int w : travel) blocks.push_back(op_.behind(w).value);
      round.recv(source, Buffer::output, runs_in_order(blocks));
      return;
    }
    const auto count = static_cast<int>(travel.size());
    Location at = new_slots(count);
    round.comm.emplace_back(Recv{source, at, count});
    for (const int w : travel) {
      block_at(w) = at;
      if (w < there) round.local.emplace_back(Copy{at, output(op_.behind(w).value)});
      ++at.block;
    }
  }

  const Problem& op_;
  int radix_;
  Schedule schedule_{.blocks = op_.procs, .scratch = {}, .rounds = {}};
  int slots_ = 0;
  std::vector<Location> block_at_{};  ///< of the block that still travels by the next digits of w
};

Schedule build(const Problem& op) { return Bruck{op}.build(); }

Formula formula(const Problem& op) {
  const int radix = bruck_radix::radix_of(op);
  double moves = 0;  // digits that are not 0, of all w
  for (std::int64_t place = 1; place < op.procs; place *= radix) {
    for (int w = 0; w < op.procs; ++w) moves += w / place % radix == 0 ? 0 : 1;
  }
  Formula formula = bruck_radix::formula(op);
  formula.sent = moves / op.procs;
  return formula;
}

}  // namespace

const Algorithm bruck{.name = "bruck",
                      .requirement = kAnyProcs,
                      .params = bruck_radix::kParams,
                      .params_requirement = {.met = bruck_radix::can_read},
                      .variants = bruck_radix::variants,
                      .build = build,
                      .formula = formula,
                      .formula_text = "radix 2, p = 2^k: lg p (alpha + m beta / 2)",
                      .source = "[bruck1997] 3"};

}  // namespace breakeven::kernels::alltoall
