// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "cli/machine_options.hpp"
#include "cli/schedule.hpp"
#include "core/error.hpp"
#include "core/unknown.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/stages.hpp"
#include "kernels/build.hpp"
#include "kernels/goal.hpp"
#include "kernels/print.hpp"
#include "kernels/verify.hpp"

namespace breakeven::cli {

namespace {

kernels::Problem problem_of(const Named& what, const ScheduleOptions& options) {
  const int procs = procs_of(options);
  const Rank root{options.root};
  if (root != Rank{} && !rooted(what.collective)) {
    throw UsageError(fmt::format("root {} asked for; {} has no root", root.value,
                                 kCollectives.of(what.collective)));
  }
  if (root != Rank{}) require_root(root.value, procs);
  return {.collective = what.collective,
          .procs = procs,
          .root = root,
          .params = what.params,
          .placement = placement_of(options, procs)};
}

/// @throws UsageError where options and format contradict each other
void require_format(const ScheduleOptions& options, Collective collective) {
  if (options.format == "markdown") {
    throw UsageError(unknown("format", options.format, {"text", "json", "svg", "circle", "goal"}));
  }
  if (options.format == "goal") {
    if (options.bytes.empty() && moves_data(collective))
      throw UsageError("format goal has sizes: --bytes is missing");
  } else if (!options.bytes.empty() || !options.machine.empty()) {
    throw UsageError(fmt::format("format {} takes no --{}; goal does", options.format,
                                 options.bytes.empty() ? "machine" : "bytes"));
  }
}

std::string goal_of(const kernels::Problem& problem, std::span<const kernels::Schedule> world,
                    const ScheduleOptions& options) {
  const Bytes message = moves_data(problem.collective) ? parse_bytes(options.bytes) : Bytes{};
  const kernels::CollectiveCall call{
      .problem = problem, .count = message.value, .datatype = Datatype::byte};
  if (options.machine.empty()) {
    return kernels::to_goal(kernels::make_exchange(problem, world), call,
                            [](double) { return Seconds{}; });
  }
  const sim::Overlap machine = sim::overlap_of(model_of(options.machine).general.machine);
  return kernels::to_goal(kernels::make_exchange(problem, world), call,
                          [&](double bytes) { return sim::seconds_of(machine.gamma.time(bytes)); });
}

}  // namespace

int show_schedule(const ScheduleOptions& options) {
  if (options.words.size() != 1) {
    throw UsageError(fmt::format("{} algorithms asked for; show prints one", options.words.size()));
  }
  const Named what = named(options.words.front(), options);
  require_format(options, what.collective);
  const kernels::Problem problem = problem_of(what, options);
  const std::vector<kernels::Schedule> world = kernels::world_of(*what.algorithm, problem);
  // A schedule is proven before it is printed: nobody shall build on a wrong one.
  static_cast<void>(kernels::verify(problem, world));
  const kernels::Title title{.problem = problem, .algorithm = what.algorithm->name};
  const std::string& format = options.format;
  fmt::print("{}", format == "json"     ? kernels::to_json(title, world)
                   : format == "svg"    ? kernels::to_svg(title, world)
                   : format == "circle" ? kernels::to_circle_svg(title, world)
                   : format == "goal"   ? goal_of(problem, world, options)
                                        : kernels::to_text(title, world));
  return 0;
}

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
