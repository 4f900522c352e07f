// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "results/records.hpp"
#include "tuner/contest.hpp"

namespace breakeven::cli {

/// All results of one case.
struct CaseHistory {
  Case what{};
  std::vector<results::StoredMeasurement> launches{};  ///< those that measured it
  std::vector<std::string> failures{};                 ///< why others didn't
  std::vector<double> samples{};  ///< of all launches, seconds; where the statistic asks for them
  /// Where it was measured, and the statistic asks for it.
  const tuner::Contest* contest = nullptr;
  const CaseHistory* nonblocking = nullptr;  ///< of a persistent call: the same, nonblocking
  /// The algorithm that native runs, where the library's own choice can be derived.
  std::optional<LibraryOwn> own_choice{};
};

/// For people, or for programs: then with plain numbers in all digits.
enum class ShowFormat : std::uint8_t { text, csv };

using Cells = std::vector<std::string>;

/// One way to put a case into a row of numbers.
struct Statistic {
  std::string_view name;
  std::string_view legend;  ///< one line: what the numbers are, over what, and in which unit
  /// A table for each candidate, as a tool prints it; else one for each problem.
  bool by_candidate = false;
  bool needs_samples = false;                ///< fills CaseHistory::samples
  bool needs_contest = false;                ///< fills CaseHistory::contest
  std::string (*heading)(const Case& what);  ///< of a table, whose rows differ in their size
  Cells key_columns;                         ///< in text: the columns that tell rows apart
  Cells (*key)(const Case& what);
  Cells columns;      ///< in text
  Cells csv_columns;  ///< behind those of the case
  /// The values of `columns`; nothing where they are not known of the case.
  std::optional<Cells> (*cells)(const CaseHistory& history, ShowFormat format);
};

/// Times without the effects that launches have on all candidates, and speedups over native.
extern const Statistic kTimeStatistic;
/// The raw median over launches, with its interval.
extern const Statistic kMedianStatistic;
/// The cost of starting a call, and how much computation it hides.
extern const Statistic kOverlapStatistic;
/// Other benchmarks' statistics of the same durations, in their units and columns.
extern const Statistic kOsuStatistic;
extern const Statistic kImbStatistic;
extern const Statistic kReproStatistic;

/// Rows under the heads of their columns: words to the left, numbers to the right.
[[nodiscard]] std::string to_table(const Cells& columns, const std::vector<Cells>& rows);

/// One line of a CSV file (RFC 4180), with its end.
[[nodiscard]] std::string to_csv(const Cells& cells);

/// The members of a case, under the names that they have in the database.
[[nodiscard]] Cells csv_columns_of_case();
[[nodiscard]] Cells csv_cells(const Case& what);

}  // namespace breakeven::cli
