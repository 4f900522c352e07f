// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "cli/schedule.hpp"
#include "cli/setting_text.hpp"
#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/print.hpp"
#include "kernels/verify.hpp"

namespace breakeven::cli {

namespace {

kernels::Problem problem_of(const Named& what, const ScheduleOptions& options) {
  const int procs = options.procs.empty() ? 0 : read(options.procs, std::type_identity<int>{});
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

}  // namespace

int show_schedule(const ScheduleOptions& options) {
  if (options.format != "text" && options.format != "json" && options.format != "svg") {
    throw UsageError(fmt::format("no format '{}'; known: text json svg", options.format));
  }
  if (options.words.size() != 1) {
    throw UsageError(fmt::format("{} algorithms asked for; show prints one", options.words.size()));
  }
  const Named what = named(options.words.front(), options);
  const kernels::Problem problem = problem_of(what, options);
  const std::vector<kernels::Schedule> world = kernels::world_of(*what.algorithm, problem);
  // What is printed is proven first: nobody shall build on a wrong schedule.
  static_cast<void>(kernels::verify(problem, world));
  const kernels::Title title{.problem = problem, .algorithm = what.algorithm->name};
  fmt::print("{}", options.format == "json"  ? kernels::to_json(title, world)
                   : options.format == "svg" ? kernels::to_svg(title, world)
                                             : kernels::to_text(title, world));
  return 0;
}

}  // namespace breakeven::cli
