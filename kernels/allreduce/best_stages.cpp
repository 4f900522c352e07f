// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>

#include "kernels/allreduce/stages.hpp"

namespace breakeven::kernels::allreduce {

namespace {

int divided_up(int amount, int by) { return (amount + by - 1) / by; }

/// The least cost of factored stages for every number of processes up to p.
class Factored {
 public:
  Factored(int procs, double round_cost)
      : round_cost_{round_cost},
        cost_(static_cast<std::size_t>(procs) + 1, std::numeric_limits<double>::infinity()),
        factor_(cost_.size()) {
    cost_[1] = 0;
    // A product of `inner` and one more stage is a multiple of it.
    for (int inner = 1; inner <= procs; ++inner) {
      for (int factor = 2; factor <= procs / inner; ++factor) {
        const auto made = static_cast<std::size_t>(inner) * static_cast<std::size_t>(factor);
        const double cost = this->cost(inner) + stage(factor);
        if (cost >= cost_[made]) continue;
        cost_[made] = cost;
        factor_[made] = factor;
      }
    }
  }

  [[nodiscard]] double stage(int factor) const { return round_cost_ + factor - 1; }
  [[nodiscard]] double cost(int procs) const { return cost_[static_cast<std::size_t>(procs)]; }

  /// The largest first.
  [[nodiscard]] std::vector<int> factors(int procs) const {
    std::vector<int> found;
    for (; procs > 1; procs /= found.back()) {
      found.push_back(factor_[static_cast<std::size_t>(procs)]);
    }
    std::ranges::sort(found, std::greater<>{});
    return found;
  }

 private:
  double round_cost_;
  std::vector<double> cost_;
  std::vector<int> factor_;  // of the last stage
};

/// The best stages found so far.
struct Best {
  double cost = std::numeric_limits<double>::infinity();
  Stages stages{};

  void offer(double cost_of_other, const Stages& other) {
    if (cost_of_other >= cost) return;
    cost = cost_of_other;
    stages = other;
  }
};

void try_split(Best& best, const Factored& factored, int procs, double round_cost) {
  for (int base = 2; base <= procs; ++base) {
    const double outer = 2 * round_cost + 2 * (base - 1);
    if (outer >= best.cost) return;
    for (int groups = 1; groups <= procs / base; ++groups) {
      const int inner = procs - groups * (base - 1);
      const double cost = outer + factored.cost(inner);
      if (cost >= best.cost) continue;
      best.offer(
          cost,
          {.factors = factored.factors(inner), .collapsing = groups * base, .collapse_base = base});
    }
  }
}

/// Guests come into the first stage's groups and are served by the last stage's, so that both count
/// apart.
void try_merged(Best& best, const Factored& factored, int procs) {
  for (int guests = 1; guests < procs - guests; ++guests) {
    const int inner = procs - guests;
    if (factored.cost(inner) + 2 >= best.cost) continue;
    for (int first = 2; first <= inner / 2; ++first) {
      if (inner % first != 0) continue;
      const int rest = inner / first;
      const double with_first = factored.stage(first) + divided_up(guests, rest);
      if (with_first >= best.cost) break;
      for (int last = 2; last <= std::min(first, rest); ++last) {
        if (rest % last != 0) continue;
        const double cost = with_first + factored.stage(last) + divided_up(guests, inner / last) +
                            factored.cost(rest / last);
        if (cost >= best.cost) continue;
        Stages stages{.factors = factored.factors(rest / last), .remaining = guests};
        stages.factors.insert(stages.factors.begin(), first);
        stages.factors.push_back(last);
        best.offer(cost, stages);
      }
    }
  }
}

}  // namespace

Stages best_stages(int procs, double round_cost) {
  if (procs == 1) return {};
  const Factored factored{procs, round_cost};
  Best best;
  best.offer(factored.cost(procs), {.factors = factored.factors(procs)});
  try_merged(best, factored, procs);
  try_split(best, factored, procs, round_cost);
  return best.stages;
}

}  // namespace breakeven::kernels::allreduce
