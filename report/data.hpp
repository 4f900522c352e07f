// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "core/json.hpp"
#include "report/report.hpp"
#include "report/sheet.hpp"

namespace breakeven::report {

/// The schedules that the page can play, each once.
class Schedules {
 public:
  /// Most processes of a schedule that is still readable.
  static constexpr int kMostProcs = 64;

  /// The number of a case's schedule; -1 where there is none: the algorithm is the library's, p is
  /// too large, or the page has enough of them.
  int of(const Case& what);

  /// {"blocks", "steps": [[sending ...] ...], "reduces": [[rank ...] ...]}, by number. A step holds
  /// the messages that move at the same time if each takes one step. A sending is [ahead, ranges,
  /// ranks]: each of the ranks (0: all) sends to the one so far ahead, modulo p, ranges of blocks
  /// [first, count], `first` being ahead of the rank's own share, modulo the blocks.
  [[nodiscard]] Json json() && { return std::move(all_); }

 private:
  std::map<Case, int> known_{};
  std::size_t bytes_ = 0;
  Json all_ = Json::array();
};

/// The data of page.js, with all statistics: the page only draws.
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
  /// speedup {"ratio", "low", "high"} or null; regrets of [the default (null: not measured), the
  /// choice]; program [time_s, saved_s, low, high] or 0; of each candidate eight numbers: variant,
  /// time, low, high in microseconds (no ends where one launch has no interval), the choice's time
  /// / its with its interval, launches; left_out the number of slower candidates that are not in
  /// here; unmeasured [variant, reason ...]. Numbers have four digits.
  [[nodiscard]] Json json() &&;

 private:
  using Unmeasured = std::map<Case, std::map<std::string, std::string>>;  // by problem

  int number_of(const std::string& variant);
  Json cell(const Sheet& sheet, std::size_t row, std::size_t size, const Unmeasured& unmeasured);

  std::size_t most_;                      // candidates of a cell, but for the choice and native
  std::map<std::string, int> numbers_{};  // of the variants
  Json variants_ = Json::array();
  Json subjects_ = Json::array();
  Schedules schedules_{};
};

/// The part of a program's time that a table saves, and its interval.
struct Saved {
  Seconds time{};
  Seconds low{};
  Seconds high{};
  Saved& operator+=(const Saved& more);
};

/// The saving of a decision, from the program's time with the default. None where no speedup was
/// measured, nor of calls that are not blocking: computation may hide them.
[[nodiscard]] std::optional<Saved> saved_of(const tuner::Decision& decision);

}  // namespace breakeven::report
