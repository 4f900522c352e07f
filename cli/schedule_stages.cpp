// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "cli/schedule.hpp"
#include "cli/setting_text.hpp"
#include "core/error.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/stages.hpp"

namespace breakeven::cli {

int list_stages(const ScheduleOptions& options) {
  const kernels::Algorithm& algorithm = kernels::allreduce::recursive_multiplying;
  const Named what = named(options.words.front(), options);
  if (what.algorithm != &algorithm) {
    throw UsageError(fmt::format("--list-stages asked for {}; only allreduce/{} has stages",
                                 options.words.front(), algorithm.name));
  }
  const int procs = procs_of(options);
  if (procs < 1) throw UsageError(fmt::format("p = {} asked for; --procs is at least 1", procs));

  const std::vector<kernels::allreduce::Stages> lists = kernels::allreduce::all_stages(procs);
  const auto merged =
      std::ranges::count_if(lists, [](const auto& each) { return each.remaining > 0; });
  const auto split =
      std::ranges::count_if(lists, [](const auto& each) { return each.collapsing > 0; });
  fmt::print("{:<32} {:>6} {:>8}\n", "stages", "rounds", "messages");
  for (const kernels::allreduce::Stages& each : lists) {
    const kernels::Formula formula =
        algorithm.formula({.collective = Collective::allreduce,
                           .procs = procs,
                           .params = kernels::Params::parse("stages=" + each.text())});
    fmt::print("{:<32} {:>6} {:>8}\n", each.text(), *formula.rounds, *formula.messages);
  }
  fmt::print(
      "\n{} lists for p = {}: {} factored, {} split, {} merged. messages: of a whole vector each,\n"
      "one after the other on the critical path where a rank sends one at a time.\n"
      "Run one with allreduce/recursive_multiplying:stages=LIST.\n",
      lists.size(), procs, static_cast<std::ptrdiff_t>(lists.size()) - split - merged, split,
      merged);
  return 0;
}

}  // namespace breakeven::cli
