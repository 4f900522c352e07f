// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

#include "kernels/allreduce/stages.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::allreduce {

namespace {

constexpr int kLargestGroup = 8;

/// The largest number up to `most` that has no prime factor beyond 7.
int largest_smooth(int most) {
  std::int64_t largest = 1;
  for (std::int64_t sevens = 1; sevens <= most; sevens *= 7) {
    for (std::int64_t fives = sevens; fives <= most; fives *= 5) {
      for (std::int64_t threes = fives; threes <= most; threes *= 3) {
        const auto twos =
            static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(most / threes)));
        largest = std::max(largest, threes * twos);
      }
    }
  }
  return static_cast<int>(largest);
}

/// The factors found so far that make a product, and those being tried.
struct Search {
  std::vector<int> best{};
  std::vector<int> chosen{};

  void take_if_better() {
    const auto sum = [](const std::vector<int>& of) {
      return std::accumulate(of.begin(), of.end(), 0);
    };
    if (best.empty() || chosen.size() < best.size() || sum(chosen) < sum(best)) best = chosen;
  }

  /// Tries the factors of `left` that are no larger than the one chosen before.
  void run(int left) {
    if (left == 1) {
      take_if_better();
      return;
    }
    // Each stage of up to 8 makes 3 bits.
    const auto at_least = static_cast<std::size_t>((ceil_log2(left) + 2) / 3);
    if (!best.empty() && chosen.size() + at_least > best.size()) return;
    for (int factor = chosen.empty() ? kLargestGroup : chosen.back(); factor >= 2; --factor) {
      if (left % factor != 0) continue;
      chosen.push_back(factor);
      run(left / factor);
      chosen.pop_back();
    }
  }
};

}  // namespace

Stages default_stages(int procs) {
  const int inner = largest_smooth(procs);
  Search search;
  search.run(inner);
  return {.factors = search.best, .remaining = procs - inner};
}

}  // namespace breakeven::kernels::allreduce
