// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/formats/own/readable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "tuner/equal_names.hpp"
#include "tuner/formats/common/description.hpp"

namespace breakeven::formats {

namespace {

constexpr std::string_view kLegend = R"(
Legend
  message    what MPI's count argument describes; it is named behind each collective
  from       the rule holds from this message size on, up to the next rule's; where two rules meet,
             the true break-even point lies between the sizes at which they were measured
  native     the MPI library's own collective as it comes
  speedup    time of native / time of the choice, with its interval, at the rule's size where it
             is smallest; launches are paired. A speedup below 1.01 leaves native where it is
  counts     an irregular collective's choice holds for all counts that were measured, equal ones
             or not; speedup, regret, launches and verdict are of the worst of them
  regret     how much slower the choice is than the fastest candidate, with its interval, at its
             worst size: there native, or the choice of the size below, was not shown to be slower.
             From 100 % on it is the factor instead, 2x for twice the time of the fastest
  launches   of the choice, where there are fewest, and the probability with which an interval over
             so many launches covers the true median
  decided    at each of its sizes faster than every other candidate, in launch after launch
  undecided  not so at some size, or there was no other candidate
  too few    fewer than 3 launches at some size: native where it was measured, else the fastest
)";

/// A line of the table, cell by cell.
using Row = std::array<std::string, 7>;

Row heads() {
  return {"from", "measured at", "algorithm", "speedup", "regret", "launches", "verdict"};
}

std::string measured_at(const tuner::Rule& rule) {
  if (rule.first_measured == rule.last_measured) return to_text(rule.first_measured);
  return fmt::format("{} to {}", to_text(rule.first_measured), to_text(rule.last_measured));
}

std::string speedup_of(const tuner::Rule& rule) {
  if (rule.what.algorithm == kNative) return "-";
  if (!rule.speedup) return "not measured";
  return fmt::format("{:.2f} ({:.2f}-{:.2f})", rule.speedup->median, rule.speedup->low,
                     rule.speedup->high);
}

/// How many times as long as the fastest, in three digits or the whole number.
std::string factor(double regret) {
  const double ratio = 1 + regret;
  return fmt::format("{:.{}f}", ratio, ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
}

std::string_view verdict_of(tuner::Certainty certainty) {
  switch (certainty) {
    case tuner::Certainty::decided: return "decided";
    case tuner::Certainty::undecided: return "undecided";
    case tuner::Certainty::too_few: break;
  }
  return "too few";
}

std::string regret_of(const tuner::Rule& rule) {
  if (!rule.regret) return "not known";
  const stats::Estimate& regret = *rule.regret;
  if (regret.high == 0) return "0.0%";
  if (regret.high >= 1) {
    return fmt::format("{}x ({}-{})", factor(regret.median), factor(regret.low),
                       factor(regret.high));
  }
  return fmt::format("{:.1f}% ({:.1f}-{:.1f})", 100 * regret.median, 100 * regret.low,
                     100 * regret.high);
}

Row cells_of(const tuner::Rule& rule) {
  return {to_text(rule.what.message),
          measured_at(rule),
          variant_text(rule.what),
          speedup_of(rule),
          regret_of(rule),
          fmt::format("{} ({:.0f}%)", rule.launches, 100 * rule.coverage),
          std::string{verdict_of(rule.certainty)}};
}

/// Every column as wide as its longest entry, so that no name breaks them.
class Columns {
 public:
  explicit Columns(const tuner::Table& table) {
    widen(heads());
    for (const tuner::Rule& rule : table.rules) widen(cells_of(rule));
  }
  [[nodiscard]] std::string line(const Row& row) const {
    std::string text = fmt::format("  {:>{}}", row[0], widths_[0]);
    for (std::size_t i = 1; i + 1 < row.size(); ++i) {
      text += fmt::format("  {:<{}}", row[i], widths_[i]);
    }
    return text + "  " + row.back() + '\n';
  }

 private:
  void widen(const Row& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
  }
  std::array<std::size_t, std::tuple_size_v<Row>> widths_{};
};

std::string heading_of(Collective collective) {
  const std::string_view message = !counts_one_block(collective) ? "the whole vector"
                                   : irregular(collective)       ? "the mean block of a process"
                                                                 : "the block of one process";
  return fmt::format("\n{} (message: {})\n", kCollectives.of(collective), message);
}

std::string heading_of(const Case& what, bool oversubscribed) {
  return fmt::format("  p = {}: {} {} of {}, mapping {}{}\n", what.procs, what.nodes,
                     what.nodes == 1 ? "node" : "nodes", what.procs_per_node, to_text(what.mapping),
                     oversubscribed ? "; OVERSUBSCRIBED: more processes than cores" : "");
}

std::string rows_of(const tuner::Table& table) {
  const Columns columns{table};
  std::string text;
  const tuner::Rule* previous = nullptr;
  for (const tuner::Rule& rule : table.rules) {
    const bool same_collective =
        previous != nullptr && previous->what.collective == rule.what.collective;
    if (!same_collective) text += heading_of(rule.what.collective) + columns.line(heads());
    if (!same_collective || previous->what.procs != rule.what.procs ||
        previous->what.mapping != rule.what.mapping) {
      text += heading_of(rule.what, rule.oversubscribed);
    }
    text += columns.line(cells_of(rule));
    previous = &rule;
  }
  return text;
}

std::string equal_schedules(const tuner::Table& table) {
  std::vector<Case> cases;
  for (const tuner::Rule& rule : table.rules) cases.push_back(rule.what);
  const std::vector<std::string> lines = tuner::other_names(cases);
  if (lines.empty()) return "";
  return fmt::format("\nEqual schedules\n  {}\n", fmt::join(lines, "\n  "));
}

/// How many cells may be decided although no candidate is faster.
std::string multiple_tests(const tuner::Table& table) {
  constexpr double kLevel = 0.05;  // of significantly_faster, for two candidates that are equal
  int cells = 0;
  int decided = 0;
  for (const tuner::Rule& rule : table.rules) {
    cells += rule.sizes;
    decided += rule.decided_sizes;
  }
  return fmt::format(
      "\nMultiple tests\n  {} of {} cells (a size at a p) are decided. Of two equal candidates one "
      "is decided falsely with a\n  probability of at most 5 % in a cell, without correction for "
      "the number of cells: if all candidates\n  were equal, expect at most {:.0f} decided "
      "cells.\n",
      decided, cells, std::ceil(kLevel * cells));
}

std::string group_of(const tuner::CrossValidation& checked) {
  std::string text{kCollectives.of(checked.collective)};
  if (checked.mapping != Mapping::seq)
    text += fmt::format(", mapping {}", to_text(checked.mapping));
  if (checked.candidates == tuner::Candidates::library) text += ", the library's own algorithms";
  return text;
}

std::string procs_of(std::span<const int> procs) {
  constexpr std::size_t kListed = 6;
  if (procs.size() <= kListed) return fmt::format("p = {}", fmt::join(procs, ","));
  return fmt::format("{} p from {} to {}", procs.size(), procs.front(), procs.back());
}

std::string result_of(const tuner::CrossValidation& checked) {
  if (checked.procs.empty()) {
    return fmt::format("not checked: measured at fewer than {} p",
                       tuner::least_procs(checked.candidates));
  }
  std::string text = procs_of(checked.procs) + " held out: ";
  if (checked.cells == 0) {
    return text + fmt::format("what it chooses was measured in none of {} cells", checked.unknown);
  }
  text += fmt::format(
      "regret {:.1f}% on average, {:.1f}% at worst\n      (p = {}, {}); native significantly "
      "faster "
      "in {} "
      "of {} cells",
      100 * checked.mean_regret, 100 * checked.worst_regret, checked.worst.procs,
      to_text(checked.worst.message), checked.native_better, checked.cells);
  if (checked.unknown > 0) {
    text += fmt::format("; its choice not measured in {} more", checked.unknown);
  }
  return text;
}

std::string between_measured(std::span<const tuner::CrossValidation> checked) {
  if (checked.empty()) return "";
  std::string text =
      "\nBetween measured p\n  the rule of the nearest p by ratio holds, or native (see the "
      "emitted "
      "files); checked by leaving out\n  one measured p at a time and choosing there by the "
      "others:\n";
  for (const tuner::CrossValidation& each : checked) {
    text += fmt::format("    {}: {}\n", group_of(each), result_of(each));
  }
  return text;
}

std::string rows_of_few_launches(const tuner::Table& table) {
  constexpr std::size_t kMost = 12;
  std::vector<const tuner::Rule*> few;
  for (const tuner::Rule& rule : table.rules) {
    if (rule.certainty == tuner::Certainty::too_few) few.push_back(&rule);
  }
  std::string text = "\n";
  for (std::size_t i = 0; i < std::min(kMost, few.size()); ++i) {
    const Case& what = few[i]->what;
    text += fmt::format(
        "too few launches: {} p={}{} from {}: {}\n", kCollectives.of(what.collective), what.procs,
        what.mapping == Mapping::seq ? "" : " mapping " + to_text(what.mapping),
        to_text(what.message),
        few[i]->launches == 1 ? "1 launch" : fmt::format("{} launches", few[i]->launches));
  }
  if (few.empty()) return text + "too few launches: no row; every one rests on 3 or more\n";
  if (few.size() > kMost)
    text += fmt::format("too few launches: {} more rows\n", few.size() - kMost);
  return text;
}

}  // namespace

std::string readable(const tuner::Table& table, const tuner::Provenance& provenance,
                     std::span<const tuner::CrossValidation> checked) {
  std::string text = "Breakeven table: which algorithm to use from which message size on\n\n";
  for (const std::string& line : describe(table, provenance)) text += "  " + line + '\n';
  return text.append(rows_of(table))
      .append(equal_schedules(table))
      .append(between_measured(checked))
      .append(kLegend)
      .append(multiple_tests(table))
      .append(rows_of_few_launches(table));
}

}  // namespace breakeven::formats
