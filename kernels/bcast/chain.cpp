// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "kernels/bcast/algorithms.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::bcast {

namespace {

constexpr std::array kParams{Param{"chains", "number of chains from the root, 1 or more [1]"}};

int chains_of(const Problem& op) { return op.params.find_number("chains", 1).value_or(1); }

/// Chain: the ranks after the root pass the vector on, each to the next one; with several chains
/// the root sends to the first rank of each.
///
///     chains = 1   0 -> 1 -> 2 -> 3 -> 4
///     chains = 2   0 -> 1 -> 2      0 -> 3 -> 4
///
/// Needs   any p.
/// Cost    p-1 rounds of m for one chain; of s segments p-2+s rounds of m/s.
/// Source  [pjesivac2007], pipeline and chain.
Schedule build(const Problem& op) {
  return bcast_along(node_of_chains(distance_from_root(op), op.procs, chains_of(op)), op);
}

bool can_read(const Problem& op) { return chains_of(op) > 0; }

std::vector<std::string> variants(int procs) {
  return procs > 8 ? std::vector<std::string>{"chains=4"} : std::vector<std::string>{};
}

}  // namespace

const Algorithm chain{.name = "chain",
                      .requirement = kAnyProcs,
                      .params = kParams,
                      .params_requirement = {.met = can_read},
                      .variants = variants,
                      .segments = true,
                      .build = build,
                      .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::bcast
