// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstdint>

#include "kernels/barrier/algorithms.hpp"

namespace breakeven::kernels::barrier {

namespace {

constexpr int kDefaultN = 2;
constexpr std::array<Param, 1> kParams{
    {{"n", "number of messages that a rank sends in a round, 1 or more [2]"}}};

int messages(const Problem& op) { return op.params.find_number("n", 1).value_or(kDefaultN); }

/// n-way dissemination: in round k each rank tells the n ranks at (n+1)^k, 2(n+1)^k, ... ahead what
/// it has heard so far, so that after it it knows of the (n+1)^(k+1) - 1 ranks behind it.
///
///     n = 2   round 0   -> me+1, me+2
///             round 1   -> me+3, me+6      the last round leaves out those at p or farther
///
/// Needs   any p.
/// Cost    ceil(log_(n+1) p) rounds of at most n messages without data; n is 2 if not given, and
///         n = 1 is dissemination.
/// Source  [hoefler2006]; as cited in [ruefenacht2017], section 7.
Schedule build(const Problem& op) {
  const int n = messages(op);
  Schedule schedule;
  for (std::int64_t step = 1; step < op.procs; step *= n + std::int64_t{1}) {
    Round& round = schedule.rounds.emplace_back();
    for (std::int64_t i = 1; i <= n && i * step < op.procs; ++i) {
      const int distance = static_cast<int>(i * step);
      round.comm.emplace_back(Send{op.ahead(distance), input(0), 0});
      round.comm.emplace_back(Recv{op.behind(distance), output(0), 0});
    }
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const int n = messages(op);
  double rounds = 0;
  for (std::int64_t heard = 1; heard < op.procs; heard *= n + std::int64_t{1}) ++rounds;
  return {.rounds = rounds};
}

}  // namespace

const Algorithm n_way_dissemination{
    .name = "n_way_dissemination",
    .requirement = kAnyProcs,
    .params = kParams,
    .params_requirement = {"", [](const Problem& op) { return messages(op) >= 1; }},
    .variants = [](int) -> std::vector<std::string> { return {"n=1", "n=3", "n=7"}; },
    .build = build,
    .formula = formula,
    .formula_text = "ceil(lg p / lg(n+1)) rounds",
    .source = "[hoefler2006]; [ruefenacht2017] 7"};

}  // namespace breakeven::kernels::barrier
