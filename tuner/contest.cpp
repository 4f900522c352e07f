// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/contest.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"
#include "stats/levels.hpp"
#include "stats/median.hpp"
#include "stats/walk.hpp"

namespace breakeven::tuner {

namespace {

auto all_but_size(const Case& problem) {
  return std::tuple(problem.collective, problem.form, problem.mapping, problem.procs, problem.nodes,
                    problem.procs_per_node, problem.comms_per_node, problem.datatype, problem.op,
                    problem.root);
}

/// Contests whose noise is of one kind, and those of them that differ in their size alone.
using Kind = std::tuple<Collective, CallForm, Mapping, Counts>;
using Line = std::vector<Contest*>;

Kind kind_of(const Contest& contest) {
  const Case& problem = contest.problem;
  return {problem.collective, problem.form, problem.mapping, problem.counts};
}

void pair_with_native(Contest& contest) {
  const Candidate* const native = contest.native();
  for (Candidate& each : contest.candidates) {
    const auto& reference = (native == nullptr ? each : *native).times.by_launch;
    each.launches = static_cast<int>(std::ranges::count_if(
        each.times.by_launch, [&](const auto& entry) { return reference.contains(entry.first); }));
  }
}

/// Only several launches of a candidate tell its noise.
bool noise_is_known(const Line& contests) {
  return std::ranges::any_of(contests, [](const Contest* contest) {
    return std::ranges::any_of(contest->candidates,
                               [](auto& each) { return each.times.by_launch.size() > 1; });
  });
}

void fit(std::span<Contest* const> contests) {
  std::vector<std::vector<const stats::CaseTimes*>> problems;
  for (const Contest* contest : contests) {
    auto& candidates = problems.emplace_back();
    for (const Candidate& each : contest->candidates) candidates.push_back(&each.times);
  }
  const std::vector<stats::Levels> levels = stats::fit_levels(problems);
  for (std::size_t i = 0; i < contests.size(); ++i) {
    contests[i]->launch_effect = levels[i].effect;
    for (std::size_t j = 0; j < contests[i]->candidates.size(); ++j) {
      contests[i]->candidates[j].log_time = levels[i].candidates[j];
      contests[i]->candidates[j].own_log_time = levels[i].candidates[j];
    }
  }
}

/// By how much the median candidate takes longer from each size to the next, summed up; where two
/// sizes have no candidate in common, from the fastest to the fastest.
std::vector<double> median_curve(const Line& line) {
  const auto log_time = [](const Candidate& each) { return each.log_time.mean; };
  const auto fastest = [&](const Contest& contest) {
    return log_time(*std::ranges::min_element(contest.candidates, {}, log_time));
  };
  std::vector<double> curve{0};
  for (std::size_t i = 1; i < line.size(); ++i) {
    std::vector<double> steps;
    for (const Candidate& each : line[i]->candidates) {
      const Candidate* const before = line[i - 1]->find(each.times.what);
      if (before != nullptr) steps.push_back(log_time(each) - log_time(*before));
    }
    if (steps.empty()) steps.push_back(fastest(*line[i]) - fastest(*line[i - 1]));
    curve.push_back(curve.back() + stats::median(std::move(steps)));
  }
  return curve;
}

void smooth(const Line& line) {
  const std::vector<double> curve = median_curve(line);
  std::vector<double> places;
  // At each size; null where it was not measured.
  std::map<Variant, std::vector<Candidate*>> candidates;
  for (std::size_t i = 0; i < line.size(); ++i) {
    places.push_back(place_of(line[i]->problem.message));
    for (Candidate& each : line[i]->candidates) {
      auto& at = candidates[each.times.what.variant];
      at.resize(line.size());
      at[i] = &each;
    }
  }
  std::vector<stats::Track> seen;
  for (const auto& [name, at] : candidates) {
    stats::Track& track = seen.emplace_back(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (at[i] == nullptr) continue;
      track[i] = {at[i]->log_time.mean - curve[i], at[i]->log_time.variance};
    }
  }
  const std::vector<stats::Track> smoothed = stats::smooth(places, seen);
  auto track = smoothed.begin();
  for (const auto& [name, at] : candidates) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (at[i] == nullptr) continue;
      at[i]->log_time = *(*track)[i];
      at[i]->log_time.mean += curve[i];
    }
    ++track;
  }
}

/// log(native / candidate): before any measurement it is normal around 0, with this deviation.
double usual_difference(const Line& line) {
  std::vector<double> differences;
  for (const Contest* contest : line) {
    const Candidate* const native = contest->native();
    if (native == nullptr) continue;
    for (const Candidate& each : contest->candidates) {
      if (!each.native())
        differences.push_back(std::abs(each.log_time.mean - native->log_time.mean));
    }
  }
  constexpr double kLeast = 0.02;
  constexpr double kOfNormal = 0.6745;  // the median distance from the centre, in deviations
  return differences.empty() ? kLeast
                             : std::max(kLeast, stats::median(std::move(differences)) / kOfNormal);
}

void compare_with_native(const Line& line) {
  const double usual = usual_difference(line);
  for (Contest* contest : line) {
    const Candidate* const native = contest->native();
    if (native == nullptr) continue;
    for (Candidate& each : contest->candidates) {
      const stats::Belief gain = each.native() ? stats::Belief{} : native->log_time - each.log_time;
      const double share =
          contest->noise_known ? usual * usual / (usual * usual + gain.variance) : 1;
      each.log_speedup = {share * gain.mean, share * gain.variance};
    }
  }
}

/// The interval to both sides of an effect that rests on this number of launches, whose noise was
/// drawn towards all others'.
double deviations(std::size_t launches) {
  constexpr double kHigh = 0.975;
  const double degrees = std::max<double>(static_cast<double>(launches), 1) - 1;
  return quantile(boost::math::students_t{degrees + stats::kPriorLaunches}, kHigh);
}

void put_fastest_first(std::vector<Candidate>& candidates) {
  // Case order among equals, so that a table is reproducible.
  std::ranges::sort(candidates, {}, [](const Candidate& each) {
    return std::tuple<bool, double, const Case&>(!each.enough_launches(), each.log_time.mean,
                                                 each.times.what);
  });
}

}  // namespace

double Candidate::seconds() const { return std::exp(log_time.mean); }

std::optional<tables::Speedup> Candidate::speedup() const {
  if (!log_speedup) return std::nullopt;
  return stats::interval_of(*log_speedup, deviations(static_cast<std::size_t>(launches)));
}

const Candidate* Contest::find(const Case& what) const {
  const auto found = std::ranges::find_if(
      candidates, [&](const Candidate& candidate) { return candidate.is(what); });
  return found == candidates.end() ? nullptr : &*found;
}

const Candidate* Contest::native() const {
  const auto found = std::ranges::find_if(candidates, &Candidate::native);
  return found == candidates.end() ? nullptr : &*found;
}

double Contest::regret(const Candidate& choice) const {
  return std::max(0.0, std::expm1(choice.log_time.mean - fastest().log_time.mean));
}

AdjustedTime Contest::time_of(const Candidate& candidate) const {
  AdjustedTime adjusted{.time = {candidate.seconds()}};
  if (launch_effect.count < 2) return adjusted;
  const double noise =
      deviations(candidate.times.by_launch.size()) * candidate.log_time.deviation();
  const auto bound = [&](double effect, double side) {
    return Seconds{std::exp(candidate.log_time.mean + side * std::hypot(effect, noise))};
  };
  adjusted.low = bound(launch_effect.low, -1);
  adjusted.high = bound(launch_effect.high, 1);
  return adjusted;
}

double place_of(Bytes message) {
  return std::log2(static_cast<double>(std::max<std::int64_t>(1, message.value)));
}

std::vector<double> widths_of(std::span<const Bytes> sizes) {
  std::vector<double> widths;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double place = place_of(sizes[i]);
    const double below = i == 0 ? 0.5 : (place - place_of(sizes[i - 1])) / 2;
    const double above = i + 1 == sizes.size() ? 0.5 : (place_of(sizes[i + 1]) - place) / 2;
    widths.push_back(below + above);
  }
  return widths;
}

bool differ_in_size_alone(const Case& one, const Case& other) {
  return all_but_size(one) == all_but_size(other);
}

bool SizesTogether::operator()(const Case& one, const Case& other) const {
  return std::tuple(all_but_size(one), one.message) <
         std::tuple(all_but_size(other), other.message);
}

Contests contests_of(std::span<const Measurement> measurements) {
  Contests contests;
  for (stats::CaseTimes& times : stats::group_by_case(measurements)) {
    const Case problem = without_algorithm(times.what);
    Contest& contest = contests[with_counts(problem, Counts::equal)][problem.counts];
    contest.problem = problem;
    contest.candidates.push_back({.times = std::move(times)});
  }
  std::map<Kind, Line> kinds;
  std::map<Counts, std::vector<Line>> lines;
  std::vector<Line> of_all_counts;
  for (auto& [problem, by_counts] : contests) {
    if (of_all_counts.empty() ||
        !differ_in_size_alone(of_all_counts.back().back()->problem, problem)) {
      of_all_counts.emplace_back();
    }
    for (auto& [counts, contest] : by_counts) {
      pair_with_native(contest);
      of_all_counts.back().push_back(&contest);
      kinds[kind_of(contest)].push_back(&contest);
      std::vector<Line>& of_counts = lines[counts];
      if (of_counts.empty() ||
          !differ_in_size_alone(of_counts.back().back()->problem, contest.problem)) {
        of_counts.emplace_back();
      }
      of_counts.back().push_back(&contest);
    }
  }
  std::vector<const Line*> of_kinds;
  for (const auto& [kind, of_kind] : kinds) {
    of_kinds.push_back(&of_kind);
    const bool known = noise_is_known(of_kind);
    for (Contest* contest : of_kind) contest->noise_known = known;
  }
  for_each_in_parallel(of_kinds, [](const Line* of_kind) { fit(*of_kind); });
  for (const auto& [counts, of_counts] : lines) {
    for (const Line& line : of_counts) {
      if (line.front()->noise_known) smooth(line);
    }
  }
  std::ranges::for_each(of_all_counts, compare_with_native);
  for (const auto& [kind, of_kind] : kinds) {
    for (Contest* contest : of_kind) put_fastest_first(contest->candidates);
  }
  return contests;
}

}  // namespace breakeven::tuner
