// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "tuner/decision.hpp"

namespace breakeven::report {

/// How many processes, and on how many nodes: a row of a map. Those with more processes than cores
/// come last.
struct Row {
  bool oversubscribed = false;
  int procs = 1;
  int nodes = 1;
  int procs_per_node = 1;
  Mapping mapping{};
  int comms_per_node = 1;
  friend auto operator<=>(const Row&, const Row&) = default;
};

/// All decisions of one collective and kind of data: what one map shows.
struct Sheet {
  Case kind{};  ///< of it collective, datatype, op and root, and the mapping where all have one
  std::vector<Row> rows{};
  std::vector<Bytes> sizes{};
  std::vector<const tuner::Decision*> cells{};  ///< rows x sizes; null: not measured
  std::set<Bytes> left_out{};                   ///< sizes that few rows have

  [[nodiscard]] const tuner::Decision* at(std::size_t row, std::size_t size) const {
    return cells[row * sizes.size() + size];
  }
};

/// Whether each mapping has a map of its own, or rows in one.
enum class Panels : std::uint8_t { for_each_mapping, for_all_mappings };

/// The map of each kind. A size that less than half of the rows have, such as the 24 B that a
/// guideline compares with 8 B at three processes, is left out where there are others.
/// @param decisions  they outlive the sheets
[[nodiscard]] std::vector<Sheet> sheets_of(std::span<const tuner::Decision> decisions,
                                           Panels panels);

/// Whether a cell was not measured.
[[nodiscard]] bool has_gaps(const Sheet& sheet);

/// "double, sum, root 3"; empty where no data moves.
[[nodiscard]] std::string data_text(const Case& kind);

/// "8"; "8 (2×4)" where the sheet has several layouts of one number of processes, "8 (2×4*3)" where
/// three communicators call at once, "8 (2×4 rr)" where it has several mappings; a star where there
/// were more processes than cores.
[[nodiscard]] std::string row_text(const Sheet& sheet, std::size_t row);

/// The choice's algorithm with its parameters.
[[nodiscard]] std::string choice_of(const tuner::Decision& decision);

}  // namespace breakeven::report
