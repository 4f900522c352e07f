// SPDX-License-Identifier: BSD-3-Clause
#include "report/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "report/words.hpp"

namespace breakeven::report {

namespace {

constexpr double kMicro = 1e6;
constexpr std::size_t kMostTimes = 30'000;  // of all cells, about 60 bytes each
constexpr std::size_t kLeastOfCell = 4;

/// Rounds to four significant digits, as much as a drawing shows.
void shorten(Json& json) {
  if (json.is_number_float()) {
    const double value = json.get<double>();
    json = std::isfinite(value) ? std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr) : 0;
  }
  if (json.is_structured()) std::ranges::for_each(json, shorten);
}

Json program_of(const tuner::Decision& decision) {
  if (decision.program_time.value == 0) return 0;
  const auto saved = saved_of(decision);
  if (!saved) return Json::array({decision.program_time.value});
  return {decision.program_time.value, saved->time.value, saved->low.value, saved->high.value};
}

}  // namespace

Data::Data(std::size_t cells)
    : most_{std::max(kLeastOfCell, kMostTimes / std::max<std::size_t>(1, cells))} {}

int Data::number_of(const std::string& variant) {
  const auto [found, is_new] = numbers_.try_emplace(variant, static_cast<int>(variants_.size()));
  if (is_new) {
    variants_.push_back(
        {{"id", variant}, {"name", display_name(variant)}, {"family", family_of(variant)}});
  }
  return found->second;
}

Json Data::cell(const Sheet& sheet, std::size_t row, std::size_t size,
                const Unmeasured& unmeasured) {
  const tuner::Decision& decision = *sheet.at(row, size);
  const tuner::Contest& contest = decision.contest();
  const tuner::Candidate* const native = contest.native();
  Json candidates = Json::array();
  std::size_t kept = 0;
  std::size_t chosen = 0;  // of those that are kept
  for (const tuner::Candidate& each : contest.candidates) {
    const bool itself = &each == &decision.choice();
    if (itself) chosen = kept;
    // The fastest come first.
    if (kept >= most_ && !itself && !each.native()) continue;
    ++kept;
    const tuner::AdjustedTime time = contest.time_of(each);
    const auto end = [](const std::optional<Seconds>& bound) {
      return bound ? Json(kMicro * bound->value) : Json();
    };
    const stats::Belief log_ratio = decision.choice().log_time - each.log_time;
    const auto [ratio, low, high] = itself ? stats::RatioInterval{} : stats::interval_of(log_ratio);
    for (const Json& number :
         {Json(number_of(to_text(each.times.what.variant))), Json(kMicro * time.time.value),
          end(time.low), end(time.high), Json(ratio), Json(low), Json(high),
          Json(each.times.by_launch.size())}) {
      candidates.push_back(number);
    }
  }
  Json json{row,
            size,
            chosen,
            static_cast<int>(decision.certainty),
            decision.near_best,
            json_of(decision.speedup),
            {native == nullptr ? Json() : Json(contest.regret(*native)),
             contest.regret(decision.choice())},
            contest.problem.counts == Counts::equal ? "" : kCounts.of(contest.problem.counts),
            decision.oversubscribed ? 1 : 0,
            program_of(decision),
            schedules_.of(decision.choice().times.what),
            std::move(candidates),
            contest.candidates.size() - kept};
  const auto missing = unmeasured.find(decision.problem);
  if (missing != unmeasured.end()) {
    Json list = Json::array();
    for (const auto& [variant, reason] : missing->second) {
      list.push_back(number_of(variant));
      list.push_back(reason);
    }
    json.push_back(std::move(list));
  }
  return json;
}

void Data::add(const Subject& subject, std::span<const Sheet> sheets) {
  Unmeasured unmeasured;
  for (const auto& [what, reason] : subject.unmeasured) {
    unmeasured[with_counts(without_algorithm(what), Counts::equal)].try_emplace(
        to_text(what.variant), reason);
  }
  Json all = Json::array();
  for (const Sheet& sheet : sheets) {
    Json rows = Json::array();
    for (const Row& row : sheet.rows)
      rows.push_back({row.procs, row.nodes, row.procs_per_node, row.comms_per_node});
    Json cells = Json::array();
    for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
      for (std::size_t size = 0; size < sheet.sizes.size(); ++size) {
        if (sheet.at(row, size) != nullptr) cells.push_back(cell(sheet, row, size, unmeasured));
      }
    }
    all.push_back({{"collective", kCollectives.of(sheet.kind.collective)},
                   {"data", data_text(sheet.kind)},
                   {"root", sheet.kind.root.value},
                   {"mapping", to_text(sheet.kind.mapping)},
                   {"rows", std::move(rows)},
                   {"sizes", json_of(sheet.sizes)},
                   {"cells", std::move(cells)}});
  }
  Json skipped = Json::array();
  for (const auto& [what, procs] : subject.skipped) skipped.push_back({what, procs});
  subjects_.push_back({{"database", subject.database},
                       {"machine", subject.machine.name},
                       {"sheets", std::move(all)},
                       {"skipped", std::move(skipped)}});
}

Json Data::json() && {
  shorten(subjects_);
  return {{"variants", std::move(variants_)},
          {"subjects", std::move(subjects_)},
          {"schedules", std::move(schedules_).json()}};
}

}  // namespace breakeven::report
