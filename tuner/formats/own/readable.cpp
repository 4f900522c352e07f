// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/formats/own/readable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "tuner/equal_names.hpp"
#include "tuner/formats/common/description.hpp"

namespace breakeven::formats {

namespace {

constexpr std::string_view kLegend =
    R"(
Legend
  message    what MPI's count argument describes; it is named behind each collective
  from       the rule holds from this message size on, up to the next rule's; where two rules meet,
             the true break-even point lies between the sizes at which they were measured
  speedup    time of native / time of the algorithm, with its 95 % interval, at the measured size
             where it is smallest; launches are paired
  near best  probability that no candidate is more than 3 % faster, at the size where it is least;
             below 95 % the rule is undecided, and behind "or" are those that may be
  native     the MPI library's own collective as it comes, where no rule pays: one more must save
             3.5 % over one doubling of the size, or 1.75 % over two, and 0.5 % at every size
  too few    fewer than 3 launches at some size: native where it was measured, else the fastest
)"
    R"(  An irregular collective's rule holds for all counts that were measured, equal ones or not; its
  numbers are those of the worst counts.
)";

/// Columns of a row in front of the algorithm.
struct Row {
  std::string from;
  std::string measured_at;
  std::string speedup;
  std::string near_best;
};

constexpr std::size_t kColumns = 100;
const Row kHeads{"from", "measured at", "speedup", "near best"};

std::string to_text(const Row& row) {
  return fmt::format("  {:>10}  {:<19}  {:<16}  {:>9}  ", row.from, row.measured_at, row.speedup,
                     row.near_best);
}

std::string measured_at(const tuner::Rule& rule) {
  if (rule.first_measured == rule.last_measured) return to_text(rule.first_measured);
  return fmt::format("{} to {}", to_text(rule.first_measured), to_text(rule.last_measured));
}

/// Three digits: "1.50", "12.3", "162".
std::string factor(double ratio) {
  return fmt::format("{:.{}f}", ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0);
}

std::string speedup_of(const tuner::Rule& rule) {
  if (rule.what.algorithm == kNative) return "-";
  if (!rule.speedup) return "not measured";
  return fmt::format("{} ({}-{})", factor(rule.speedup->ratio), factor(rule.speedup->low),
                     factor(rule.speedup->high));
}

std::string near_best_of(const tuner::Rule& rule) {
  if (rule.certainty == tuner::Certainty::too_few) return "too few";
  if (rule.near_best == 0 && rule.rivals.empty()) return "-";  // nobody to compare with
  if (rule.near_best > 0.99) return "> 99 %";
  return fmt::format("{:.0f} %", std::floor(100 * rule.near_best));
}

/// "or ring, native and 2 more", of an undecided rule.
std::string rivals_of(const tuner::Rule& rule) {
  constexpr std::size_t kMost = 3;
  if (rule.certainty == tuner::Certainty::decided || rule.rivals.empty()) return "";
  const std::size_t shown = std::min(kMost, rule.rivals.size());
  std::string text = fmt::format("or {}", fmt::join(std::span{rule.rivals}.first(shown), ", "));
  if (shown < rule.rivals.size()) text += fmt::format(" and {} more", rule.rivals.size() - shown);
  return text;
}

/// A line, and another one for the rivals where they don't fit.
std::string lines_of(const tuner::Rule& rule) {
  std::string line = to_text(
      Row{to_text(rule.what.message), measured_at(rule), speedup_of(rule), near_best_of(rule)});
  const std::size_t indent = line.size();
  line += variant_text(rule.what);
  const std::string rivals = rivals_of(rule);
  if (rivals.empty()) return line + '\n';
  if (line.size() + 1 + rivals.size() <= kColumns) return line + ' ' + rivals + '\n';
  const std::size_t begin = std::min(indent, kColumns - std::min(kColumns, rivals.size()));
  return fmt::format("{}\n{:{}}{}\n", line, "", begin, rivals);
}

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
  std::string text;
  const tuner::Rule* previous = nullptr;
  for (const tuner::Rule& rule : table.rules) {
    const bool same_collective =
        previous != nullptr && previous->what.collective == rule.what.collective;
    if (!same_collective) {
      text += fmt::format("{}{}algorithm\n", heading_of(rule.what.collective), to_text(kHeads));
    }
    if (!same_collective || previous->what.procs != rule.what.procs ||
        previous->what.mapping != rule.what.mapping) {
      text += heading_of(rule.what, rule.oversubscribed);
    }
    text += lines_of(rule);
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

std::string decided_cells(const tuner::Table& table) {
  int cells = 0;
  int decided = 0;
  for (const tuner::Rule& rule : table.rules) {
    cells += rule.sizes;
    decided += rule.decided_sizes;
  }
  return fmt::format("\n{} of {} cells (a size at a p) are decided.\n", decided, cells);
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
      "emitted files); checked by\n  leaving out one measured p at a time and choosing there by "
      "the others:\n";
  const std::size_t heading = text.size();
  for (const tuner::CrossValidation& each : checked) {
    if (!each.procs.empty()) text += fmt::format("    {}: {}\n", group_of(each), result_of(each));
  }
  return text.size() > heading ? text : "";
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
      .append(decided_cells(table))
      .append(rows_of_few_launches(table));
}

}  // namespace breakeven::formats
