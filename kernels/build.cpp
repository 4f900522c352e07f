// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/build.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/unknown.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

namespace {

/// A problem as the algorithm itself sees it, and the rewrites of its schedule.
struct Rewritten {
  Problem problem{};
  std::vector<Rank> roles{};  // empty: every rank plays itself
  int segments = 1;
};

Rewritten rewritten(const Problem& problem) {
  Rewritten result{.problem = problem};
  if (problem.params.empty()) return result;
  result.segments = problem.params.find_number(kSegments.key, 1).value_or(1);
  result.problem.params.take(kSegments.key);
  if (const auto how = result.problem.params.take(kReorderRanks.key)) {
    result.roles = roles_of(*how, problem);
    result.problem = in_role(std::move(result.problem), result.roles);
  }
  return result;
}

}  // namespace

std::vector<Param> params_of(const Algorithm& algorithm) {
  std::vector<Param> params{algorithm.params.begin(), algorithm.params.end()};
  if (algorithm.segments) params.push_back(kSegments);
  if (algorithm.reorderable) params.push_back(kReorderRanks);
  return params;
}

void require_takes(const Algorithm& algorithm, std::string_view key) {
  const std::vector<Param> known = params_of(algorithm);
  if (std::ranges::find(known, key, &Param::key) != known.end()) return;
  std::vector<std::string_view> keys;
  for (const Param& param : known) keys.push_back(param.key);
  throw UsageError(fmt::format("{} takes {}", algorithm.name, unknown("parameter", key, keys)));
}

std::string requirement_text(const Algorithm& algorithm) {
  const std::string_view of_params = algorithm.params_requirement.text;
  return fmt::format("{}{}{}", algorithm.requirement.text, of_params.empty() ? "" : "; ",
                     of_params);
}

bool runs(const Algorithm& algorithm, const Problem& problem) {
  if (problem.procs < 1) return false;
  for (const Params::Entry& entry : problem.params.entries()) require_takes(algorithm, entry.key);
  const Problem asked = rewritten(problem).problem;
  return algorithm.requirement.met(asked.procs) && algorithm.params_requirement.met(asked);
}

void require_runs(const Algorithm& algorithm, const Problem& problem) {
  if (runs(algorithm, problem)) return;
  const std::string params = problem.params.text();
  throw UsageError(fmt::format("{}/{}{}{} can't run at p = {}: it needs {}",
                               kCollectives.of(problem.collective), algorithm.name,
                               params.empty() ? "" : ":", params, problem.procs,
                               problem.procs < 1 ? "p >= 1" : requirement_text(algorithm)));
}

Schedule build_schedule(const Algorithm& algorithm, const Problem& problem) {
  if (problem.params.empty()) return algorithm.build(problem);
  const Rewritten what = rewritten(problem);
  Schedule schedule = algorithm.build(what.problem);
  if (what.segments > 1) schedule = segmented(schedule, what.segments);
  if (!what.roles.empty()) schedule = reordered(std::move(schedule), problem, what.roles);
  return schedule;
}

std::vector<Schedule> world_of(const Algorithm& algorithm, Problem problem) {
  require_runs(algorithm, problem);
  std::vector<Schedule> world;
  world.reserve(static_cast<std::size_t>(problem.procs));
  for (int rank = 0; rank < problem.procs; ++rank) {
    problem.me = {rank};
    world.push_back(build_schedule(algorithm, problem));
  }
  return world;
}

std::vector<Rank> roots_to_prove(Collective collective, int procs) {
  constexpr int kMostWithEveryRoot = 17;
  if (!rooted(collective)) return {Rank{0}};
  if (procs > kMostWithEveryRoot) return {Rank{0}, Rank{procs / 3}, Rank{procs - 1}};
  std::vector<Rank> roots;
  for (int rank = 0; rank < procs; ++rank) roots.push_back({rank});
  return roots;
}

std::vector<std::string> variants_of(const Algorithm& algorithm, int procs) {
  std::vector<std::string> texts;
  if (algorithm.variants != nullptr) texts = algorithm.variants(procs);
  if (algorithm.segments && procs > 1) {
    for (const int segments : {4, 16, 64}) {
      texts.push_back(fmt::format("{}={}", kSegments.key, segments));
    }
  }
  return texts;
}

std::vector<Problem> problems_to_prove(Collective collective, const Algorithm& algorithm,
                                       int procs) {
  constexpr int kMostWithAllVariants = 16;
  constexpr std::size_t kSample = 8;  // from the first to the last of all
  std::vector<std::string> texts{""};
  if (algorithm.variants != nullptr) {
    const std::vector<std::string> all = algorithm.variants(procs);
    const std::size_t taken =
        procs <= kMostWithAllVariants ? all.size() : std::min(kSample, all.size());
    for (std::size_t i = 0; i < taken; ++i) {
      texts.push_back(all[i * (all.size() - 1) / std::max<std::size_t>(taken - 1, 1)]);
    }
  }
  std::vector<Problem> problems;
  for (const std::string& params : texts) {
    for (const Rank root : roots_to_prove(collective, procs)) {
      Problem problem{
          .collective = collective, .procs = procs, .root = root, .params = Params::parse(params)};
      if (runs(algorithm, problem)) problems.push_back(std::move(problem));
    }
  }
  return problems;
}

}  // namespace breakeven::kernels
