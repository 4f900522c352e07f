// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "report/report.hpp"
#include "report/schedules.hpp"
#include "report/sheet.hpp"

namespace breakeven::report {

/// What page.js reads. Statistics are all in here: the page only draws.
class Data {
 public:
  /// @param cells  of all subjects: the more, the fewer candidates each of them keeps
  explicit Data(std::size_t cells);
  /// Takes in a subject: its cells stand in the order in which its maps draw them.
  void add(const Subject& subject, std::span<const Sheet> sheets);

  /// {"variants": [{"name", "family"} ...], "subjects": [{"database", "sheets", "skipped"} ...],
  /// "schedules"}. A sheet has "kind", "rows", "sizes" (bytes) and "cells", a cell being
  /// [row, size, chosen, certainty, near_best, speedup, regrets, counts, oversubscribed, program,
  /// schedule, candidates, left_out, unmeasured]:
  /// speedup [ratio, low, high] or 0; regrets of [the default (null: not measured), the choice];
  /// program [time_s, saved_s, low, high] or 0; of each candidate eight numbers: variant, time,
  /// low, high in microseconds (no ends where one launch has no interval), the choice's time / its
  /// with its interval, launches; left_out the number of slower candidates that are not in here;
  /// unmeasured [variant, reason ...].
  [[nodiscard]] nlohmann::ordered_json json() &&;

 private:
  using Json = nlohmann::ordered_json;
  using Unmeasured = std::map<Case, std::map<std::string, std::string>>;  // by problem

  int number_of(const std::string& variant);
  Json cell(const Sheet& sheet, std::size_t row, std::size_t size, const Unmeasured& unmeasured);

  std::size_t most_;                      // candidates of a cell, but for the choice and native
  std::map<std::string, int> numbers_{};  // of the variants
  Json variants_ = Json::array();
  Json subjects_ = Json::array();
  Schedules schedules_{};
};

/// What a table saves of a program's time, and the interval that the speedup leaves.
struct Saved {
  Seconds time{};
  Seconds low{};
  Seconds high{};
};

/// Of the time that it spends with the default where a decision stands. Nothing where no speedup
/// was measured.
[[nodiscard]] std::optional<Saved> saved_of(const tuner::Decision& decision);

}  // namespace breakeven::report
