// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/race.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <ranges>
#include <string>

#include "stats/paired_cases.hpp"

namespace breakeven::plan {

namespace {

constexpr double kRounding = 1e-9;  // as models have it in their last digits

/// The candidates still in the race.
struct Field {
  explicit Field(const std::vector<const stats::CaseTimes*>& open)
      : candidates{open}, times{open} {}
  [[nodiscard]] std::size_t size() const { return candidates.size(); }
  [[nodiscard]] const Case& what(std::size_t i) const { return candidates[i]->what; }

  std::vector<const stats::CaseTimes*> candidates;
  stats::PairedCases times;
};

bool native(const Case& what) { return what.algorithm == kNative; }

/// The candidates that are significantly slower than `best`, each with how much.
std::map<std::size_t, stats::Estimate> slower(const Field& field, std::size_t best,
                                              double confidence) {
  const double of_each = 1 - (1 - confidence) / static_cast<double>(field.size() - 1);
  std::map<std::size_t, stats::Estimate> found;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (i == best) continue;
    const stats::Estimate ratio = field.times.ratio(i, best, of_each);
    if (ratio.low > 1 + kRounding) found[i] = ratio;
  }
  return found;
}

std::string slower_text(const Case& rival, const stats::Estimate& ratio) {
  return fmt::format("slower than {}: {:.3g} times [{:.3g}, {:.3g}] in {} launches",
                     variant_text(rival), ratio.median, ratio.low, ratio.high, ratio.count);
}

/// Why nothing more need be measured; nothing while it is open who is the fastest.
std::optional<std::string> decided(const Field& field, std::size_t best,
                                   const std::map<std::size_t, stats::Estimate>& slower,
                                   const RaceRules& rules) {
  std::vector<std::string> equals;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (i == best || slower.contains(i)) continue;
    // Both ends of this interval are beyond the indifference with 1 - equality each, at most.
    const stats::Estimate ratio = field.times.ratio(i, best, 2 * rules.equality - 1);
    if (ratio.high > 1 + rules.indifference) return std::nullopt;
    equals.push_back(variant_text(field.what(i)));
  }
  if (equals.empty())
    return fmt::format("decided: {} is the fastest", variant_text(field.what(best)));
  return fmt::format("decided: {}, {} differ by less than {:.3g} %", variant_text(field.what(best)),
                     fmt::join(equals, ", "), 100 * rules.indifference);
}

}  // namespace

void Race::add(const Measurement& measurement) {
  stats::CaseTimes& times =
      problems_[without_algorithm(measurement.what)].candidates[measurement.what];
  times.what = measurement.what;
  times.by_launch[measurement.launch] = measurement.median;
}

std::vector<Pruned> Race::judge(const Case& problem) {
  const auto found = problems_.find(problem);
  if (found == problems_.end()) return {};
  judge(found->second);
  std::vector<Pruned> pruned;
  for (const Pruned& each : found->second.pruned | std::views::values) pruned.push_back(each);
  return pruned;
}

void Race::judge(Problem& problem) const {
  std::vector<const stats::CaseTimes*> open;
  for (const auto& [what, times] : problem.candidates) {
    if (!problem.pruned.contains(what)) open.push_back(&times);
  }
  if (open.size() < 2) return;
  const Field field{open};
  if (field.times.launches() < stats::kLeastLaunches) return;
  const std::size_t best = field.times.fastest();
  const auto prune = [&](const Case& what, const std::string& reason) {
    const auto launches = static_cast<int>(problem.candidates.at(what).by_launch.size());
    problem.pruned.try_emplace(what, Pruned{what, launches, reason});
  };
  const std::map<std::size_t, stats::Estimate> outrun = slower(field, best, rules_.confidence);
  for (const auto& [i, ratio] : outrun) {
    if (!native(field.what(i))) prune(field.what(i), slower_text(field.what(best), ratio));
  }
  if (const auto reason = decided(field, best, outrun, rules_)) {
    for (const auto& [what, times] : problem.candidates) prune(what, *reason);
  }
}

}  // namespace breakeven::plan
