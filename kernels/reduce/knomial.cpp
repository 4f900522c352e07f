// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstdint>

#include "kernels/reduce/algorithms.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::reduce {

namespace {

constexpr std::array kParams{
    Param{"radix", "one more than the messages of a round, 2 or more [4]"}};

int radix_of(const Problem& op) { return op.params.find_number("radix", 2).value_or(4); }

/// K-nomial tree: in each round a rank reduces what r-1 others send, the nearest ones first. Radix
/// 2 is the binomial tree.
///
///     r = 3, p = 9     round 0   0 <- 1, 2     3 <- 4, 5     6 <- 7, 8
///                      round 1   0 <- 3, 6      v = distance from the root
///
/// Needs   any p.
/// Cost    ceil(log_r p) rounds of at most r-1 messages of m at once.
/// Source  [wilkins2023]; MPICH's and Open MPI's k-nomial trees.
Schedule build(const Problem& op) {
  return reduce_along(node_of_knomial(distance_from_root(op), op.procs, radix_of(op)), op);
}

bool can_read(const Problem& op) { return radix_of(op) > 1; }

std::vector<std::string> variants(int procs) {
  return procs > 8 ? std::vector<std::string>{"radix=3", "radix=8"} : std::vector<std::string>{};
}

Formula formula(const Problem& op) {
  double rounds = 0;
  for (std::int64_t reached = 1; reached < op.procs; reached *= radix_of(op)) ++rounds;
  return {.rounds = rounds};
}

}  // namespace

const Algorithm knomial{.name = "knomial",
                        .requirement = kAnyProcs,
                        .params = kParams,
                        .params_requirement = {.met = can_read},
                        .variants = variants,
                        .segments = true,
                        .build = build,
                        .formula = formula,
                        .formula_text = "ceil(log_r p) rounds of r-1 messages",
                        .source = "[wilkins2023]"};

}  // namespace breakeven::kernels::reduce
