// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/agenda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "harness/plan/order.hpp"
#include "harness/plan/shuffle.hpp"
#include "stats/case_times.hpp"
#include "tuner/contest.hpp"

namespace breakeven::session {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kUsualLaunches = 2;  // of a candidate, rounded up: docs/measuring.md, "Decisions"

/// Gain per second of all of them together.
double rate_of(std::span<const Open> cases) {
  double gain = 0;
  double seconds = 0;
  for (const Open& each : cases) {
    gain += each.gain;
    seconds += each.seconds;
  }
  return gain / seconds;
}

/// Samples fill `least` at least, by calls between that are not kept.
double seconds_of(const Measurement& measurement, Seconds least) {
  constexpr double kLeast = 1e-9;  // a model may need no time
  return std::max({kLeast, least.value, measurement.samples * measurement.median.value});
}

}  // namespace

Agenda::Agenda(const plan::Sweep& sweep, const plan::SweepPlan& asked) : sweep_{sweep} {
  for (const plan::PlannedLaunch& launch : asked.launches) {
    if (launch.repeat > 0) continue;
    for (const plan::CandidateRange range : plan::problems_of(launch.cases)) {
      const auto first = launch.cases.begin() + range.first;
      asked_.emplace_back(first, first + range.count);
    }
  }
}

void Agenda::update(std::span<const results::CaseStatus> rows,
                    std::span<const Measurement> measurements) {
  problems_ = asked_;
  if (sweep_.refine) add_begun(measurements);
  known_.clear();
  for (const Problem& problem : problems_) known_.insert(without_algorithm(problem.front()));
  rows_.clear();
  last_.clear();
  for (const results::CaseStatus& row : rows) {
    Rows& of_case = rows_[row.what];
    ++of_case.count;
    of_case.last = std::max(of_case.last, row.repeat);
    if (!known_.contains(without_algorithm(row.what))) continue;
    int& last = last_.try_emplace(row.what.procs, row.repeat).first->second;
    last = std::max(last, row.repeat);
  }
  seconds_.clear();
  for (const Measurement& each : measurements) {
    double& most = seconds_[each.what];
    most = std::max(most, seconds_of(each, sweep_.measure.min_time));
  }
  open_.clear();
  exhausted_ = 0;
  if (sweep_.measure.racing) {
    const auto gains = tuner::expected_gains(tuner::contests_of(measurements), sweep_.least_gain);
    for (const Problem& problem : problems_) open_worthy(problem, gains);
  } else {
    std::ranges::for_each(problems_, [&](const Problem& problem) { open_all(problem); });
  }
  if (sweep_.refine) open_new(measurements);
}

/// Sizes between those asked for that a refinement began.
void Agenda::add_begun(std::span<const Measurement> measurements) {
  std::set<Case> asked;
  std::set<Case, tuner::SizesTogether> lines;
  for (const Problem& problem : asked_) {
    asked.insert(without_algorithm(problem.front()));
    lines.insert(without_algorithm(problem.front()));
  }
  std::map<Case, std::set<Case>> begun;
  for (const Measurement& each : measurements) {
    const Case problem = without_algorithm(each.what);
    if (asked.contains(problem)) continue;
    const auto above = lines.lower_bound(problem);
    if (above == lines.begin() || above == lines.end()) continue;
    const bool between = tuner::differ_in_size_alone(*above, problem) &&
                         tuner::differ_in_size_alone(*std::prev(above), problem);
    if (between) begun[problem].insert(each.what);
  }
  for (const auto& [problem, cases] : begun) problems_.emplace_back(cases.begin(), cases.end());
}

void Agenda::open_all(const Problem& problem) {
  for (const Case& what : problem) {
    const int missing = sweep_.launches - rows_of(what).count;
    if (missing > 0) open_[what] = {kInfinite, 1, missing};
  }
}

void Agenda::open_worthy(const Problem& problem, const std::map<Case, tuner::Gain>& gains) {
  bool worth = false;
  bool open = false;
  for (const Case& what : problem) {
    const int launches = rows_of(what).count;
    const auto gain = gains.find(what);
    if (gain != gains.end()) {
      if (gain->second.expected < sweep_.least_gain) continue;
      worth = true;
      const int left = sweep_.launches - launches;
      if (left <= 0) continue;
      open_[what] = {gain->second.expected, seconds_.at(what),
                     std::min(left, gain->second.launches)};
    } else {
      // Who fails in three launches fails in all.
      const int left = std::min(sweep_.launches, stats::kLeastLaunches) - launches;
      if (left <= 0) continue;
      open_[what] = {kInfinite, 1, std::min(left, kUsualLaunches)};
    }
    open |= gain == gains.end() || !gain->second.reference || std::isinf(gain->second.expected);
  }
  if (!open) {
    for (const Case& what : problem) open_.erase(what);  // references alone tell nothing
    exhausted_ += worth ? 1 : 0;
    return;
  }
  for (const Case& what : problem) {
    const auto gain = gains.find(what);
    if (gain != gains.end() && gain->second.reference)
      open_.try_emplace(what, Open{0, seconds_.at(what), 1});
  }
}

/// Sizes between others where the choice changes.
void Agenda::open_new(std::span<const Measurement> measurements) {
  std::vector<Measurement> ours;
  double seconds = 0;
  for (const Measurement& each : measurements) {
    if (!known_.contains(without_algorithm(each.what))) continue;
    ours.push_back(each);
    seconds += seconds_.at(each.what);
  }
  std::set<Case> tried = known_;
  for (const auto& [what, rows] : rows_) tried.insert(without_algorithm(what));
  refinement_ = tuner::refine(ours, tried, sweep_.least_gain);
  for (tuner::SizeBetween& size : refinement_.sizes) {
    for (const Case& what : size.candidates) {
      open_[what] = {size.gain / static_cast<double>(size.candidates.size()),
                     seconds / static_cast<double>(ours.size()), kUsualLaunches};
    }
    problems_.push_back(std::move(size.candidates));
  }
}

std::optional<plan::PlannedLaunch> Agenda::next() const {
  std::optional<plan::PlannedLaunch> best;
  double most = 0;
  for (const int procs : sweep_.procs) {
    double rate = 0;
    std::optional<plan::PlannedLaunch> launch = launch_at(procs, rate);
    if (!launch || (best && rate < most)) continue;
    if (best && rate == most && launch->repeat >= best->repeat) continue;  // all p in turn
    best = std::move(launch);
    most = rate;
  }
  return best;
}

/// @param rate  set to what the launch gains per second
std::optional<plan::PlannedLaunch> Agenda::launch_at(int procs, double& rate) const {
  using Ranked = std::pair<double, Problem>;  // by gain per second
  std::vector<Ranked> order;
  std::vector<Ranked> behind;
  std::vector<Open> all;
  for (const Problem& problem : problems_) {
    if (problem.front().procs != procs) continue;
    std::vector<Open> open;
    Problem cases;
    Problem late;
    for (const Case& what : problem) {
      const auto found = open_.find(what);
      if (found == open_.end()) continue;
      open.push_back(found->second);
      cases.push_back(what);
      if (left_behind(what)) late.push_back(what);
    }
    if (cases.empty()) continue;
    all.insert(all.end(), open.begin(), open.end());
    order.emplace_back(rate_of(open), std::move(cases));
    if (!late.empty()) behind.emplace_back(order.back().first, std::move(late));
  }
  if (order.empty()) return std::nullopt;
  rate = rate_of(all);
  const auto begun = last_.find(procs);
  plan::PlannedLaunch launch{.layout = plan::layout_of(sweep_, procs)};
  if (begun != last_.end()) launch.repeat = begun->second + (behind.empty() ? 1 : 0);
  if (!behind.empty()) order = std::move(behind);
  launch.seed = plan::mixed_seed(sweep_.seed, static_cast<std::uint64_t>(procs),
                                 static_cast<std::uint64_t>(launch.repeat));
  plan::shuffle(order, launch.seed);
  std::ranges::stable_sort(order, std::greater{}, &Ranked::first);
  for (const auto& [of_problem, cases] : order) {
    launch.cases.insert(launch.cases.end(), cases.begin(), cases.end());
  }
  return launch;
}

std::size_t Agenda::expected() const {
  std::size_t count = 0;
  for (const Open& each : open_ | std::views::values) {
    count += static_cast<std::size_t>(each.launches);
  }
  return count;
}

std::string Agenda::text() const {
  std::string text =
      fmt::format("no further measurement is expected to gain {:.2g} %", 100 * sweep_.least_gain);
  if (exhausted_ > 0) {
    text += fmt::format(", but at {} message size{} that had {} launches", exhausted_,
                        exhausted_ == 1 ? "" : "s", sweep_.launches);
  }
  if (sweep_.refine) {
    text += fmt::format("; break-even points: {}, {} sizes measured between those asked for",
                        refinement_.points, problems_.size() - asked_.size());
  }
  return text;
}

/// Without racing: the last launch was to measure it, and ended before.
bool Agenda::left_behind(const Case& what) const {
  const auto begun = last_.find(what.procs);
  if (sweep_.measure.racing || begun == last_.end()) return false;
  const Rows rows = rows_of(what);
  return rows.last < begun->second && rows.count <= begun->second &&
         known_.contains(without_algorithm(what));
}

Agenda::Rows Agenda::rows_of(const Case& what) const {
  const auto found = rows_.find(what);
  return found == rows_.end() ? Rows{} : found->second;
}

}  // namespace breakeven::session
