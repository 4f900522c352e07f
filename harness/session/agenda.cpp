// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/agenda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <ranges>
#include <utility>

#include "harness/plan/order.hpp"
#include "stats/case_times.hpp"

namespace breakeven::session {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kUsualLaunches = 2;  // of a candidate at a new size

/// The probable number of launches of an unmeasured candidate: of ten candidates three race to the
/// end, three more are measured three times, the others once.
int usual_launches(std::size_t index, std::size_t candidates, int launches) {
  const std::size_t racers = std::max<std::size_t>(2, candidates * 3 / 10);
  if (index < racers) return launches;
  return std::min(launches, index < 2 * racers ? stats::kLeastLaunches : 1);
}

}  // namespace

Agenda::Agenda(const plan::Sweep& sweep, const plan::SweepPlan& asked, Predictions predictions)
    : sweep_{sweep}, predictions_{std::move(predictions)} {
  for (const plan::PlannedLaunch& launch : asked.launches) {
    if (launch.repeat > 0) continue;
    for (const plan::CandidateRange range : plan::problems_of(launch.cases)) {
      const auto first = launch.cases.begin() + range.first;
      asked_.emplace_back(first, first + range.count);
      for (Case what : asked_.back()) {
        what.message = {};
        asked_variants_.insert(std::move(what));
      }
    }
  }
}

void Agenda::update(std::span<const results::Failure> failures,
                    std::span<const Measurement> measurements) {
  count_rows(failures, measurements);
  find_problems();
  find_last();
  open_.clear();
  exhausted_ = 0;
  const bool compared = sweep_.measure.racing || !predictions_.empty();
  tuner::Contests contests = compared ? tuner::contests_of(measurements) : tuner::Contests{};
  const auto tried = rows_ | std::views::keys;
  pruning_ = prune(sweep_, asked_, predictions_, contests, {tried.begin(), tried.end()});
  if (sweep_.measure.racing) {
    open_by_gain(std::move(contests));
  } else {
    for (const Problem& problem : problems_) open_all(problem);
  }
  if (sweep_.refine) open_new(measurements);
}

void Agenda::count_rows(std::span<const results::Failure> failures,
                        std::span<const Measurement> measurements) {
  rows_.clear();
  auto place = rows_.end();  // a database gives the launches of a case together
  const auto count = [&](const auto& row) {
    if (place == rows_.end() || place->first != row.what)
      place = rows_.try_emplace(row.what, Rows{.first = row.repeat}).first;
    Rows& of_case = place->second;
    ++of_case.count;
    of_case.first = std::min(of_case.first, row.repeat);
    of_case.last = std::max(of_case.last, row.repeat);
  };
  std::ranges::for_each(measurements, count);
  std::ranges::for_each(failures, count);
}

/// Those requested, and those that a refinement has begun.
void Agenda::find_problems() {
  problems_ = asked_;
  if (sweep_.refine) add_begun();
  known_.clear();
  for (const Problem& problem : problems_) known_.insert(without_algorithm(problem.front()));
}

void Agenda::find_last() {
  last_.clear();
  for (const auto& [what, of_case] : rows_) {
    if (!asked_variant(what)) continue;
    int& last = last_.try_emplace(job_of(what), of_case.last).first->second;
    last = std::max(last, of_case.last);
  }
}

/// Whether an algorithm was requested, at any size.
bool Agenda::asked_variant(const Case& what) const {
  Case variant = what;
  variant.message = {};
  return asked_variants_.contains(variant);
}

/// Adds the sizes between the requested ones that a refinement measured. A size that a kill left in
/// its first launch does not count: it is proposed again, whole.
void Agenda::add_begun() {
  std::set<Case> asked;
  std::set<Case, tuner::SizesTogether> lines;
  for (const Problem& problem : asked_) {
    asked.insert(without_algorithm(problem.front()));
    lines.insert(without_algorithm(problem.front()));
  }
  struct Begun {
    std::set<Case> cases{};
    std::set<int> repeats{};
  };
  std::map<Case, Begun> begun;
  for (const auto& [what, of_case] : rows_) {
    const Case problem = without_algorithm(what);
    if (asked.contains(problem) || !asked_variant(what)) continue;
    const auto above = lines.upper_bound(problem);
    if (above == lines.begin() || above == lines.end()) continue;
    const bool between = tuner::differ_in_size_alone(*above, problem) &&
                         tuner::differ_in_size_alone(*std::prev(above), problem);
    if (!between) continue;
    begun[problem].cases.insert(what);
    begun[problem].repeats.insert({of_case.first, of_case.last});
  }
  for (const auto& [problem, of_problem] : begun) {
    if (of_problem.repeats.size() > 1)
      problems_.emplace_back(of_problem.cases.begin(), of_problem.cases.end());
  }
}

void Agenda::open_all(const Problem& problem) {
  for (const Case& what : problem) {
    if (pruning_.pruned.contains(what)) continue;
    const int missing = sweep_.launches - rows_of(what).count;
    if (missing > 0) open_[what] = {kInfinite, missing};
  }
}

/// Opens the candidates whose further launches are expected to gain something.
void Agenda::open_by_gain(tuner::Contests contests) {
  // Other sweeps' problems would get a share of the program's time.
  if (!sweep_.program_time.empty()) {
    std::erase_if(contests, [&](const auto& each) {
      return std::ranges::none_of(
          each.second, [&](const auto& by_counts) { return knows(by_counts.second.problem); });
    });
  }
  const auto gains =
      tuner::expected_gains(contests, sweep_.least_gain, sweep_.messages, sweep_.program_time);
  time_of_gain_ = tuner::time_of_gain(contests, sweep_.messages, sweep_.program_time);
  for (const Problem& problem : problems_) {
    // A lone candidate has no rival: it is measured for its own time.
    problem.size() == 1 ? open_all(problem) : open_worthy(problem, gains);
  }
}

void Agenda::open_worthy(const Problem& problem, const std::map<Case, tuner::Gain>& gains) {
  bool worth = false;
  bool open = false;
  std::size_t fresh = 0;
  for (const Case& what : problem) {
    if (pruning_.pruned.contains(what)) continue;
    const int launches = rows_of(what).count;
    const auto gain = gains.find(what);
    if (gain == gains.end()) {
      // A candidate that fails in three launches is given up.
      const int left = std::min(sweep_.launches, stats::kLeastLaunches) - launches;
      if (left <= 0) continue;
      open_[what] = {kInfinite, usual_launches(fresh++, problem.size(), sweep_.launches)};
    } else {
      if (gain->second.expected < sweep_.least_gain) continue;
      worth = true;
      const int left = sweep_.launches - launches;
      if (left <= 0) continue;
      open_[what] = {gain->second.expected, std::min(left, gain->second.launches)};
    }
    open = true;
  }
  exhausted_ += worth && !open ? 1 : 0;
  if (!open) return;
  for (const Case& what : problem) {
    const auto gain = gains.find(what);
    if (gain != gains.end() && gain->second.reference) open_.try_emplace(what, Open{0, 1});
  }
}

/// Opens the sizes between others where the choice changes.
void Agenda::open_new(std::span<const Measurement> measurements) {
  std::vector<Measurement> ours;
  for (const Measurement& each : measurements) {
    if (knows(without_algorithm(each.what)) && asked_variant(each.what)) ours.push_back(each);
  }
  refinement_ = tuner::refine(ours, known_, sweep_.least_gain, sweep_.program_time);
  for (tuner::SizeBetween& size : refinement_.sizes) {
    for (const Case& what : size.candidates) {
      open_[what] = {size.gain / static_cast<double>(size.candidates.size()), kUsualLaunches};
    }
    problems_.push_back(std::move(size.candidates));
  }
}

std::optional<plan::PlannedLaunch> Agenda::next(const plan::Forecast& forecast, bool pays) const {
  std::optional<RankedLaunch> best;
  for (const NodeLayout& job : plan::jobs_of(sweep_)) {
    std::optional<RankedLaunch> here = launch_on(job, forecast);
    if (!here) continue;
    // Where all gain the same, all in turn.
    const bool better = !best || here->rate > best->rate ||
                        (here->rate == best->rate && here->launch.repeat < best->launch.repeat);
    if (better) best = std::move(here);
  }
  if (!best || (pays && best->rate * time_of_gain_.value < 1)) return std::nullopt;
  return std::move(best->launch);
}

std::optional<Agenda::RankedLaunch> Agenda::launch_on(const NodeLayout& job,
                                                      const plan::Forecast& forecast) const {
  std::vector<Problem> order;
  std::vector<Problem> behind;
  double gain = 0;
  Seconds takes = forecast.start(job);
  for (const Problem& problem : problems_) {
    if (job_of(problem.front()) != job) continue;
    Problem cases;
    Problem late;
    for (const Case& what : problem) {
      const auto found = open_.find(what);
      if (found == open_.end()) continue;
      gain += found->second.gain;
      cases.push_back(what);
      if (left_behind(what)) late.push_back(what);
    }
    if (cases.empty()) continue;
    takes = takes + forecast.measuring(cases);
    order.push_back(std::move(cases));
    if (!late.empty()) behind.push_back(std::move(late));
  }
  if (order.empty()) return std::nullopt;
  const auto begun = last_.find(job);
  const int repeat = begun == last_.end() ? 0 : begun->second + (behind.empty() ? 1 : 0);
  RankedLaunch ranked{gain / takes.value, plan::empty_launch(job, repeat, sweep_.seed)};
  plan::add_shuffled(ranked.launch, behind.empty() ? std::move(order) : std::move(behind));
  return ranked;
}

std::map<Case, int> Agenda::launches() const {
  std::map<Case, int> launches;
  for (const auto& [what, open] : open_) launches[what] = open.launches;
  return launches;
}

std::string Agenda::text() const {
  std::string text = "Done";
  if (exhausted_ > 0) {
    text += fmt::format(", but for {} problem{} that reached the limit of {} launches (--launches)",
                        exhausted_, exhausted_ == 1 ? "" : "s", sweep_.launches);
  }
  text += sweep_.measure.racing
              ? fmt::format(": more measurements would not change a choice by {:.2g} %.",
                            100 * sweep_.least_gain)
              : fmt::format(": each candidate has {} launches.", sweep_.launches);
  if (sweep_.refine) {
    text += fmt::format(" {} break-even points; {} sizes measured between those asked for.",
                        refinement_.points, problems_.size() - asked_.size());
  }
  if (const std::string pruned = pruning_.text(); !pruned.empty()) text += " " + pruned;
  return text;
}

/// Whether, without racing, the last launch should have measured it, and ended before.
bool Agenda::left_behind(const Case& what) const {
  const auto begun = last_.find(job_of(what));
  if (sweep_.measure.racing || begun == last_.end()) return false;
  const Rows rows = rows_of(what);
  return rows.last < begun->second && rows.count <= begun->second && knows(without_algorithm(what));
}

Agenda::Rows Agenda::rows_of(const Case& what) const {
  const auto found = rows_.find(what);
  return found == rows_.end() ? Rows{} : found->second;
}

}  // namespace breakeven::session
