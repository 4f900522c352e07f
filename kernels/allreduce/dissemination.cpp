// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "core/error.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/exchanges.hpp"

namespace breakeven::allreduce {

namespace {

constexpr std::array kParams{
    Param{"n", "ranks that each rank sends to in a round, with p a power of n+1; else the least"}};

bool is_power(int number, std::int64_t base) {
  std::int64_t power = 1;
  while (power < number) power *= base;
  return power == number;
}

/// The least n for which p is a power of n+1: p-1 if no smaller one is.
int least_ways(int procs) {
  for (int base = 2; base * base <= procs; ++base) {
    if (is_power(procs, base)) return base - 1;
  }
  return procs > 1 ? procs - 1 : 1;
}

int ways_of(const Problem& op) {
  return op.params.find_number("n", 1).value_or(least_ways(op.procs));
}

bool is_power_of_ways(const Problem& op) {
  const std::int64_t ways = ways_of(op);
  if (is_power(op.procs, ways + 1)) return true;
  throw UsageError(
      fmt::format("n={} takes a power of {} processes, not {}", ways, ways + 1, op.procs));
}

/// n-way dissemination: in round i every rank sends its part to the n ranks that are one, two, ...
/// n times (n+1)^i behind it, and so has the sum over (n+1)^(i+1) ranks from itself on.
///
///     p = 9, n = 2     round 0   0 <- 1, 2      0 has 0..2
///                      round 1   0 <- 3, 6      0 has 0..2, 3..5, 6..8
///
/// The paper lets other p end with parts that overlap, and puts that right; this doesn't.
///
/// Needs   any p; n, if given, with p a power of n+1. A commutative operation.
/// Cost    k rounds for p = (n+1)^k, k n m sent and reduced.
/// Source  End et al., n-way dissemination allreduce, as in the recursive multiplying paper,
///         section 7.
Schedule build(const Problem& op) {
  const int ways = ways_of(op);
  Exchanges exchanges{op.me};
  for (int distance = 1; distance < op.procs; distance *= ways + 1) {
    std::vector<Rank> from{op.me};
    std::vector<Rank> to;
    for (int i = 1; i <= ways; ++i) {
      from.push_back(op.ahead(i * distance));
      to.push_back(op.behind(i * distance));
    }
    exchanges.step(from, to);
  }
  return std::move(exchanges).done();
}

Cost cost(const Problem& op) {
  const int ways = ways_of(op);
  Cost cost;
  for (int reached = 1; reached < op.procs; reached *= ways + 1) ++cost.rounds;
  cost.sent = cost.reduced = 1.0 * cost.rounds * ways;
  return cost;
}

std::vector<std::string> variants(int procs) {
  std::vector<std::string> variants;
  for (int ways = 1; ways < procs; ++ways) {
    if (is_power(procs, ways + 1)) variants.push_back(fmt::format("n={}", ways));
  }
  return variants;
}

}  // namespace

const Algorithm dissemination{.name = "dissemination",
                              .needs = {kAnyProcs.words, is_power_of_ways},
                              .params = kParams,
                              .variants = variants,
                              .build = build,
                              .cost = cost,
                              .source = "End et al.; recursive multiplying 2017, section 7"};

}  // namespace breakeven::allreduce
