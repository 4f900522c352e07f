// SPDX-License-Identifier: BSD-3-Clause
#include "cli/profile_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/show.hpp"
#include "tables/saving.hpp"

namespace breakeven::cli {

namespace {

constexpr std::size_t kMostRows = 25;  // on the screen

/// Calls that are one row: of all datatypes and operations.
struct Row {
  tables::Amount amount{};
  std::optional<tables::Speedup> speedup{};
  std::optional<double> saved_s{};
};
using Rows = std::map<std::vector<std::string>, Row>;

/// "1x4", "2x4 rr", "2x1*4"
std::string layout_text(const NodeLayout& layout) {
  const std::string shape = shape_text(layout);
  return layout.mapping == Mapping::seq ? shape : shape + " " + to_text(layout.mapping);
}

void add_seconds(std::optional<double> seconds, std::optional<double>& sum) {
  if (seconds) sum = sum.value_or(0) + *seconds;
}

Rows rows_of(const tables::Profile& profile, const std::optional<session::ProgramTables>& tables) {
  Rows rows;
  for (const auto& [use, amount] : profile.uses) {
    tables::Saving saving{.variant = use.variant};
    if (tables) {
      saving = tables::saving_of(profile, use, tables->all.table,
                                 tables->library ? &*tables->library : nullptr);
    }
    const std::string message = moves_data(use.collective) ? to_text(use.message) : "";
    Row& row =
        rows[{call_name(use.collective, use.form), fmt::to_string(use.layout.procs),
              layout_text(use.layout), message, to_text(saving.variant), tables::native_text(use)}];
    row.amount += amount;
    row.speedup = saving.speedup;
    add_seconds(saving.saved_s, row.saved_s);
  }
  return rows;
}

/// Prints a line for each program, where there are several.
void print_programs(const tables::Profile& profile) {
  std::vector<Cells> cells;
  for (const tables::Profile& each : profile.programs) {
    if (cells.size() == kMostRows) break;
    tables::Amount all;
    for (const auto& [use, amount] : each.uses) all += amount;
    cells.push_back({each.command, fmt::to_string(each.procs), fmt::to_string(all.calls),
                     fmt::format("{:.3g}", all.seconds), fmt::format("{:.3g}", each.wall_s)});
  }
  if (cells.empty()) return;
  const Cells columns{"program", "p", "calls", "time_s", "of_s"};
  fmt::print(stderr, "\n{}", to_table(columns, cells));
  const std::size_t more = profile.programs.size() - cells.size();
  if (more > 0) fmt::print(stderr, "  and {} more, which ended later\n", more);
}

/// Start, completion and overlap of nonblocking and persistent calls; empty of blocking ones.
Cells under_way_cells(const tables::Amount& amount) {
  if (amount.under_way_s == 0) return {"", "", ""};
  return {fmt::format("{:.3g}", amount.start_s),
          fmt::format("{:.3g}", amount.seconds - amount.start_s),
          fmt::format("{:.0f} %", 100 * amount.most_overlap_s / amount.under_way_s)};
}

/// @param longest  sorted by time
void print_rows(const std::vector<const Rows::value_type*>& longest, bool with_tables) {
  const bool under_way =
      std::ranges::any_of(longest, [](auto* row) { return row->second.amount.under_way_s > 0; });
  const bool known =
      std::ranges::any_of(longest, [](auto* row) { return !row->first.back().empty(); });
  std::vector<Cells> cells;
  for (const auto* row : longest) {
    if (cells.size() == kMostRows) break;
    Cells line = row->first;
    if (!known) line.pop_back();
    const Row& of = row->second;
    line.insert(line.begin() + 4,
                {fmt::to_string(of.amount.calls), fmt::format("{:.3g}", of.amount.seconds)});
    if (under_way) {
      const Cells more = under_way_cells(of.amount);
      line.insert(line.begin() + 6, more.begin(), more.end());
    }
    if (with_tables) {
      line.push_back(of.speedup ? fmt::format("{:.2f}, {:.2f} to {:.2f}", of.speedup->ratio,
                                              of.speedup->low, of.speedup->high)
                                : "");
      line.push_back(of.saved_s ? fmt::format("{:.3g}", *of.saved_s) : "");
    }
    cells.push_back(std::move(line));
  }
  Cells columns{"collective", "p", "layout", "message", "calls", "time_s", "algorithm"};
  if (under_way) columns.insert(columns.begin() + 6, {"start_s", "completion_s", "overlap <="});
  if (known) columns.emplace_back("native is");
  if (with_tables) columns.insert(columns.end(), {"speedup", "saved_s"});
  fmt::print(stderr, "\n{}", to_table(columns, cells));
  if (longest.size() > cells.size()) {
    fmt::print(stderr, "  and {} more, which take less time\n", longest.size() - cells.size());
  }
}

}  // namespace

std::optional<double> print_profile(const tables::Profile& profile,
                                    const std::optional<session::ProgramTables>& tables) {
  print_programs(profile);
  const Rows rows = rows_of(profile, tables);
  std::vector<const Rows::value_type*> longest;
  tables::Amount all;
  std::optional<double> saved_s;
  bool any_speedup = false;
  for (const auto& row : rows) {
    longest.push_back(&row);
    all += row.second.amount;
    add_seconds(row.second.saved_s, saved_s);
    any_speedup |= row.second.speedup.has_value();
  }
  std::ranges::sort(longest, std::greater{}, [](auto* row) { return row->second.amount.seconds; });
  print_rows(longest, tables.has_value());
  const std::string unknown =
      tables ? tables::layouts_without_rules(profile, tables->all.table) : "";
  if (!unknown.empty()) fmt::print(stderr, "\n{}: no speedup is known there", unknown);
  fmt::print(stderr, "\n{} calls took {:.3g} s of {:.3g} s", all.calls, all.seconds,
             profile.wall_s);
  if (tables && !saved_s) {
    fmt::print(stderr, "; what the tables saved is unknown: {}",
               any_speedup ? "computation may hide nonblocking calls"
                           : "they have no speedup of these calls");
  } else if (tables) {
    fmt::print(
        stderr, "; {:.3g} s saved by the table's speedups, waiting left out{}", *saved_s,
        tables->library ? "" : "; the library chose among its own by itself: no table of these");
  }
  fmt::print(stderr, "\n");
  return saved_s;
}

}  // namespace breakeven::cli
