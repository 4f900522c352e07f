// SPDX-License-Identifier: BSD-3-Clause
#include "core/rank_tests.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

#include "core/error.hpp"

namespace breakeven {

namespace {

/// Midranks are multiples of one half: twice them are whole numbers, which can be counted.
using Twice = std::size_t;

std::vector<Twice> doubled(std::span<const double> ranks) {
  std::vector<Twice> twice;
  for (const double rank : ranks) twice.push_back(static_cast<Twice>(std::lround(2 * rank)));
  return twice;
}

/// For every sum, how many of the subsets with `size` members have it.
std::vector<double> count_subsets_of_size(std::span<const Twice> ranks, std::size_t size) {
  const Twice total = std::accumulate(ranks.begin(), ranks.end(), Twice{0});
  std::vector<std::vector<double>> counts(size + 1, std::vector<double>(total + 1));
  counts[0][0] = 1;
  Twice reached = 0;
  for (const Twice rank : ranks) {
    reached += rank;
    for (std::size_t members = size; members > 0; --members) {
      for (Twice sum = rank; sum <= reached; ++sum) {
        counts[members][sum] += counts[members - 1][sum - rank];
      }
    }
  }
  return counts[size];
}

/// The same for subsets of any size.
std::vector<double> count_subsets(std::span<const Twice> ranks) {
  std::vector<double> counts{1};
  for (const Twice rank : ranks) {
    counts.resize(counts.size() + rank);
    for (Twice sum = counts.size() - 1; sum >= rank; --sum) counts[sum] += counts[sum - rank];
  }
  return counts;
}

RankTest with_p_values(double less, double greater, bool exact) {
  return {.less = std::min(1.0, less),
          .greater = std::min(1.0, greater),
          .two_sided = std::min(1.0, 2 * std::min(less, greater)),
          .exact = exact};
}

RankTest by_counting(std::span<const double> counts, Twice observed) {
  const auto sum = [](std::span<const double> part) {
    return std::accumulate(part.begin(), part.end(), 0.0);
  };
  const double all = sum(counts);
  return with_p_values(sum(counts.first(observed + 1)) / all, sum(counts.subspan(observed)) / all,
                       true);
}

/// `distance` from the mean; a sum of ranks moves in steps of 1, half of which is the correction.
RankTest by_normal(double distance, double variance) {
  if (variance == 0) return {};
  const boost::math::normal normal{0, std::sqrt(variance)};
  return with_p_values(boost::math::cdf(normal, distance + 0.5),
                       boost::math::cdf(boost::math::complement(normal, distance - 0.5)), false);
}

}  // namespace

std::vector<double> midranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t index) { return values[index]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double shared = static_cast<double>(begin + 1 + end) / 2;
    for (std::size_t place = begin; place < end; ++place) ranks[order[place]] = shared;
  }
  return ranks;
}

RankTest rank_sum_test(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty()) throw Error("rank-sum test of no valid sample");
  std::vector<double> both{first.begin(), first.end()};
  both.insert(both.end(), second.begin(), second.end());
  const std::vector<double> ranks = midranks(both);
  const auto m = static_cast<double>(first.size());
  const auto n = static_cast<double>(second.size());
  const double sum = std::reduce(ranks.begin(), ranks.begin() + std::ssize(first));

  RankTest test;
  if (both.size() <= kMostCounted) {
    const std::vector<double> counts = count_subsets_of_size(doubled(ranks), first.size());
    test = by_counting(counts, static_cast<Twice>(std::lround(2 * sum)));
  } else {
    const double mean = (m + n + 1) / 2;
    double squares = 0;
    for (const double rank : ranks) squares += (rank - mean) * (rank - mean);
    test = by_normal(sum - m * mean, m * n / ((m + n) * (m + n - 1)) * squares);
  }
  test.statistic = sum - m * (m + 1) / 2;
  return test;
}

RankTest signed_rank_test(std::span<const double> differences) {
  if (differences.empty()) throw Error("signed-rank test of no valid sample");
  std::vector<double> sizes;
  for (const double difference : differences) sizes.push_back(std::abs(difference));
  std::vector<double> ranks;  // of those that aren't zero
  double above = 0;
  const std::vector<double> all = midranks(sizes);
  for (std::size_t index = 0; index < all.size(); ++index) {
    if (differences[index] != 0) ranks.push_back(all[index]);
    if (differences[index] > 0) above += all[index];
  }

  RankTest test;
  if (ranks.size() <= kMostCounted) {
    test = by_counting(count_subsets(doubled(ranks)), static_cast<Twice>(std::lround(2 * above)));
  } else {
    const double mean = std::reduce(ranks.begin(), ranks.end()) / 2;
    const double squares = std::inner_product(ranks.begin(), ranks.end(), ranks.begin(), 0.0);
    test = by_normal(above - mean, squares / 4);
  }
  test.statistic = above;
  return test;
}

}  // namespace breakeven
