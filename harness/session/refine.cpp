// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/refine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace breakeven::session {

Refining::Refining(const plan::Sweep& sweep, const plan::SweepPlan& asked) : sweep_{sweep} {
  for (const plan::PlannedLaunch& launch : asked.launches) {
    for (const Case& what : launch.cases) problems_.insert(without_algorithm(what));
  }
}

std::optional<plan::SweepPlan> Refining::next(std::span<const Measurement> measurements) {
  if (!sweep_.refine) return std::nullopt;
  std::vector<Measurement> ours;
  std::ranges::copy_if(measurements, std::back_inserter(ours), [&](const Measurement& each) {
    return problems_.contains(without_algorithm(each.what));
  });
  refinement_ = tuner::refine(ours, problems_);
  if (refinement_.problems.empty()) return std::nullopt;
  for (const auto& problem : refinement_.problems) {
    problems_.insert(without_algorithm(problem.front()));
  }
  return plan::lay_out(sweep_, refinement_.problems, ++round_);
}

std::string Refining::text() const {
  const std::size_t sizes = refinement_.problems.size();
  if (sizes > 0) {
    return fmt::format(
        "refinement, round {}: measuring {} size{} between others, towards {} "
        "break-even points",
        round_, sizes, sizes == 1 ? "" : "s", refinement_.points);
  }
  std::string text = fmt::format("break-even points: {}, ", refinement_.points);
  if (refinement_.indivisible == 0) return text + "each bracketed within 10 %";
  return text + fmt::format(
                    "{} bracketed within 10 %, {} by sizes with no element or no "
                    "measurement between them",
                    refinement_.points - refinement_.indivisible, refinement_.indivisible);
}

}  // namespace breakeven::session
