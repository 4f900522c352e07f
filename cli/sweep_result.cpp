// SPDX-License-Identifier: BSD-3-Clause
#include "cli/sweep_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <tuple>
#include <vector>

#include "cli/show.hpp"
#include "tuner/contest.hpp"

namespace breakeven::cli {

namespace {

using tuner::Contest;

constexpr std::size_t kMostLines = 26;

using Sizes = std::vector<const Contest*>;
using Tables = std::map<std::tuple<Collective, CallForm, Counts, NodeLayout>, Sizes>;

std::string name_of(const Case& problem) {
  return fmt::format(
      "{}{}{}, {}", kCollectives.of(problem.collective), form_suffix(problem.form),
      irregular(problem.collective) ? fmt::format(", {} counts", kCounts.of(problem.counts)) : "",
      procs_text(layout_of(problem)));
}

/// Of the fastest.
std::string interval(const Contest& contest) {
  const auto speedup = contest.fastest().speedup();
  return speedup && contest.noise_known && !contest.fastest().native()
             ? fmt::format("{:.2f} to {:.2f}", speedup->low, speedup->high)
             : "-";
}

Cells row(const Contest& contest) {
  const tuner::Candidate& best = contest.fastest();
  const tuner::Candidate* const native = contest.native();
  const auto speedup = best.speedup();
  return {to_text(contest.problem.message),
          native == nullptr ? "-" : to_text(contest.time_of(*native).time),
          to_text(contest.time_of(best).time),
          speedup ? fmt::format("{:.2f}", speedup->ratio) : "-",
          interval(contest),
          to_text(best.times.what.variant),
          best.enough_launches() ? "" : fmt::format("(launches with native: {})", best.launches)};
}

/// The line of a table that is too long.
Cells digest(const Sizes& sizes) {
  const auto few = [](const Contest* each) { return !each->fastest().enough_launches(); };
  const auto speedup = [](const Contest* each) { return each->fastest().speedup(); };
  Sizes faster;
  std::ranges::copy_if(sizes, std::back_inserter(faster), [&](const Contest* each) {
    return !few(each) && speedup(each) && speedup(each)->low > 1;
  });
  Cells cells{name_of(sizes.front()->problem), fmt::to_string(sizes.size()),
              fmt::to_string(faster.size()), fmt::to_string(std::ranges::count_if(sizes, few))};
  if (faster.empty()) return cells.insert(cells.end(), {"-", "-", ""}), cells;
  const Contest* const most = *std::ranges::max_element(
      faster, {}, [&](const Contest* each) { return speedup(each)->ratio; });
  cells.insert(cells.end(), {fmt::format("{:.2f}", speedup(most)->ratio), interval(*most),
                             fmt::format("{} by {}", to_text(most->problem.message),
                                         to_text(most->fastest().times.what.variant))});
  return cells;
}

std::string text_of(const Tables& tables) {
  std::size_t lines = 0;
  for (const Sizes& sizes : tables | std::views::values) lines += sizes.size() + 2;
  std::string text;
  std::vector<Cells> digests;
  for (const Sizes& sizes : tables | std::views::values) {
    std::vector<Cells> rows;
    std::ranges::transform(sizes, std::back_inserter(rows),
                           [](const auto* each) { return row(*each); });
    if (lines <= kMostLines) {
      text += fmt::format(
          "{}\n{}", name_of(sizes.front()->problem),
          to_table({"message", "native", "fastest", "speedup", "95 % interval", "algorithm", ""},
                   rows));
    } else if (digests.size() < kMostLines) {
      digests.push_back(digest(sizes));
    }
  }
  if (lines <= kMostLines) return text;
  text = to_table(
      {"", "sizes", "faster", "too few launches", "best speedup", "95 % interval", "at"}, digests);
  if (digests.size() < tables.size())
    text += fmt::format("and {} more\n", tables.size() - digests.size());
  return text;
}

}  // namespace

std::string result_text(const plan::Sweep& sweep, std::span<const Measurement> measurements) {
  const std::vector<NodeLayout> layouts = plan::layouts_of(sweep);
  const auto is_ours = [&](const Measurement& each) {
    return std::ranges::find(sweep.collectives, each.what.collective) != sweep.collectives.end() &&
           std::ranges::find(layouts, layout_of(each.what)) != layouts.end();
  };
  std::vector<Measurement> ours;
  std::ranges::copy_if(measurements, std::back_inserter(ours), is_ours);
  const tuner::Contests contests = tuner::contests_of(ours);
  Tables others;
  Tables oversubscribed;
  for (const auto& by_counts : contests | std::views::values) {
    for (const auto& [counts, contest] : by_counts) {
      Tables& tables = contest.fastest().times.oversubscribed ? oversubscribed : others;
      const Case& problem = contest.problem;
      tables[{problem.collective, problem.form, counts, layout_of(problem)}].push_back(&contest);
    }
  }
  std::string text;
  if (!others.empty())
    text = "Fastest candidates; speedup: native's time / theirs\n" + text_of(others);
  if (!oversubscribed.empty())
    text += "With more processes than cores, where times say little\n" + text_of(oversubscribed);
  return text;
}

}  // namespace breakeven::cli
