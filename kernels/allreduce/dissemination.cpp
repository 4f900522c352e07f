// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstdint>

#include "kernels/allreduce/algorithms.hpp"

namespace breakeven::kernels::allreduce {

namespace {

constexpr int kDefaultN = 2;
constexpr std::array kParams{Param{
    "n", "number of ranks that each rank receives partial results from in a round, 1 or more [2]"}};

int ways_of(const Problem& op) { return op.params.find_number("n", 1).value_or(kDefaultN); }

/// One rank's schedule: before round k it has the sum of the (n+1)^k ranks from itself on, its
/// part, and that of the first p mod (n+1)^k of them, its rest, where there are any.
class Dissemination {
 public:
  explicit Dissemination(const Problem& op) : op_{op}, ways_{ways_of(op)} {}

  [[nodiscard]] Schedule schedule() && {
    for (; reach_ < op_.procs; reach_ *= ways_ + 1) round();
    if (op_.procs == 1) schedule_.local(Copy{input(0), output(0)});
    return std::move(schedule_);
  }

 private:
  void round() {
    const bool ends = reach_ * (ways_ + 1) >= op_.procs;
    const int whole = static_cast<int>(op_.procs / reach_);  // parts in p, without the rest
    const int taken = ends ? whole - 1 : ways_;
    // The next rest, in the end the result: these parts, then the rest of the rank after them.
    const int before_rest = ends ? whole : whole % (ways_ + 1);
    const bool takes_rest = before_rest > 0 && op_.procs % reach_ != 0;

    Round round;
    for (int i = 1; i <= taken; ++i) take(round, i, part_, arriving(i - 1));
    if (takes_rest) take(round, before_rest, rest(), arriving(ways_));
    for (int i = 1; i <= taken + 1; ++i) {
      if (i == before_rest) keep_rest(round, takes_rest, ends ? output(0) : rest());
      if (i > taken) break;
      round.local.emplace_back(Reduce{part_, arriving(i - 1), output(0)});
      part_ = output(0);
    }
    schedule_.rounds.push_back(std::move(round));
  }

  /// Swaps with the ranks that are this many parts ahead and behind.
  void take(Round& round, int parts, Location from, Location into) const {
    const int distance = static_cast<int>(parts * reach_);
    round.comm.emplace_back(Send{op_.behind(distance), from});
    round.comm.emplace_back(Recv{op_.ahead(distance), into});
  }

  void keep_rest(Round& round, bool takes_rest, Location into) {
    if (takes_rest) {
      round.local.emplace_back(Reduce{part_, arriving(ways_), into});
    } else if (into != part_) {
      round.local.emplace_back(Copy{part_, into});
    }
  }

  /// Slots are made as they are used: n for parts, one for a rest that comes, one for the own rest.
  [[nodiscard]] Location arriving(int index) {
    const auto needed = static_cast<std::size_t>(index) + 1;
    if (needed > schedule_.scratch.size()) schedule_.scratch.resize(needed, {0, 1});
    return scratch(index);
  }
  [[nodiscard]] Location rest() { return arriving(ways_ + 1); }

  Problem op_;
  int ways_;
  std::int64_t reach_ = 1;  // (n+1)^k
  Location part_ = input(0);
  Schedule schedule_{};
};

/// n-way dissemination: in round k every rank sends its part to the n ranks that are one, two, ...
/// n times (n+1)^k behind it, and so has the sum over (n+1)^(k+1) ranks from itself on.
///
///     p = 9, n = 2     round 0   0 <- 1, 2          0 has 0..2
///                      round 1   0 <- 3, 6          0 has 0..2, 3..5, 6..8
///     p = 8, n = 2     round 0   0 <- 1, 2          0 has 0..2, and keeps 0..1 as its rest
///                      round 1   0 <- 3, 6 (rest)   0 has 0..2, 3..5, 6..7
///
/// For p that is no power of n+1 parts would overlap in the last round. As in the paper a rank then
/// takes what another one had before that, up to the boundary where the data would be counted
/// twice: its rest, made in the round before from a rest that came with the parts.
///
/// Needs   any p; a commutative operation.
/// Cost    ceil(log_(n+1) p) rounds of at most n+1 messages of m each; n if p is a power of n+1.
/// Source  [end2015], as in [ruefenacht2017], section 7; the rests are ours.
Schedule build(const Problem& op) { return Dissemination{op}.schedule(); }

Formula formula(const Problem& op) {
  double rounds = 0;
  for (std::int64_t reach = 1; reach < op.procs; reach *= ways_of(op) + std::int64_t{1}) ++rounds;
  return {.rounds = rounds};
}

}  // namespace

const Algorithm dissemination{
    .name = "dissemination",
    .requirement = kAnyProcs,
    .params = kParams,
    .params_requirement = {"", [](const Problem& op) { return ways_of(op) >= 1; }},
    .variants = [](int) -> std::vector<std::string> { return {"n=1", "n=3", "n=7", "n=12"}; },
    .build = build,
    .formula = formula,
    .formula_text = "ceil(lg p / lg(n+1)) rounds",
    .source = "[end2015]; [ruefenacht2017] 7"};

}  // namespace breakeven::kernels::allreduce
