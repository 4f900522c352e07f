// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace breakeven::kernels::allreduce {

/// The stages of recursive multiplying, in the paper's language:
///
///     a3,a4              exchanges in groups of 3, then of 4                              p = 12
///     c6m2,a2,a2,e6m2    split: of the first T = 6 ranks, groups of B = 2 collapse into one
///                        process each; it expands the result to the others                p = 7
///     m1g2a3,n1g3a2      merged: R = 1 process joins the first stage, G = 2 groups of 3,
///                        and takes its result from the last one, 3 groups of 2            p = 7
///
/// The processes that exchange, the inner ones, are the product of the factors.
/// @see [ruefenacht2017], section 4.2
struct Stages {
  std::vector<int> factors{};  ///< the group size of each exchange, 2 or more, first stage first
  int collapsing = 0;          ///< T: the ranks that collapse in groups of `collapse_base`, or 0
  int collapse_base = 1;       ///< B of c and e
  int remaining = 0;           ///< R: the processes merged into the first stage, or 0

  /// @throws UsageError when the text isn't in the language, or its stages contradict each other:
  ///         an end that doesn't fit the beginning, a wrong number of groups.
  [[nodiscard]] static Stages parse(std::string_view text);
  [[nodiscard]] std::string text() const;

  [[nodiscard]] int inner() const;
  [[nodiscard]] int procs() const;
  /// One for each exchange, two more to collapse and to expand.
  [[nodiscard]] int rounds() const;

  friend bool operator==(const Stages&, const Stages&) = default;
};

/// Fewest exchanges of 2 to 8 processes, of these the fewest messages, largest groups first; when p
/// has prime factors beyond 7, as many processes remain and are merged as it takes to have none.
///
/// Eight is the largest group among the fastest schedules of [ruefenacht2017], Table 2.
[[nodiscard]] Stages default_stages(int procs);

/// The stages that cost least where a round costs `round_cost`, and each of the messages that
/// recursive_multiplying's formula counts costs 1: rho = alpha_p / alpha_r for short vectors in the
/// pipelining model of [ruefenacht2017], section 3. Of equal ones the factored, then the merged;
/// the largest groups first.
///
/// Exact among all that all_stages() lists, without listing them: the least cost of the factored
/// ones of every number up to p makes up the others. About p ln p steps: p = 2^20 takes 0.1 s.
///
/// @param round_cost  at least 0
[[nodiscard]] Stages best_stages(int procs, double round_cost);

/// All stages that make p processes, each once: the factored ones by their factors (a2,a4 before
/// a4,a2 before a8); the split ones by T, B, then factors; the merged ones by R, then factors.
///
/// Their kinds are the paper's, with bounds that it implies: every B >= 2; T up to p, so that a
/// group may be all processes; R less than the inner processes. For p = 256 there are 33 thousand.
[[nodiscard]] std::vector<Stages> all_stages(int procs);

/// The texts of `all_stages`.
[[nodiscard]] std::vector<std::string> stage_lists(int procs);

}  // namespace breakeven::kernels::allreduce
