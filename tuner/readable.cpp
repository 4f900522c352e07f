// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/readable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tables/formats/common/choices.hpp"
#include "tables/formats/common/description.hpp"
#include "tables/worth.hpp"
#include "tuner/break_even.hpp"
#include "tuner/equal_names.hpp"

namespace breakeven::tuner {

namespace {

constexpr std::string_view kLegend =
    R"(
Legend
  cell       a message size on a layout: a number of processes, or nodes x processes per node
  message    what MPI's count argument describes; it is named behind each collective
  from       the rule holds from this message size on, up to the next rule's; behind "~" it is
             estimated, with no more digits than the sizes measured on both sides permit
  speedup    time of native / time of the algorithm: the geometric mean over the sizes measured,
             with its 95 % interval; launches are paired
  range      the smallest and the largest speedup of these sizes
  near best  probability that no candidate is more than 3 % faster, at the size where it is least;
             below 95 % the rule is undecided, and behind "or" are those that may be
  native     the MPI library's own collective as it comes, where no rule pays: each further rule
             must save 3.5 % over one doubling of the size, or 1.75 % over two; a rule other than
             native must save 0.5 % more, on average over its sizes
  no gain shown  the interval holds 1: the rule is there because its expected time is the least, and
             `breakeven verify` takes it back where it does not hold
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
  std::string range;
  std::string near_best;
};

constexpr std::size_t kColumns = 100;
const Row kHeads{"from", "measured at", "speedup", "range", "near best"};

std::string to_text(const Row& row) {
  return fmt::format("  {:>10}  {:<17}  {:<16}  {:<12}  {:>9}  ", row.from, row.measured_at,
                     row.speedup, row.range, row.near_best);
}

std::string from_text(const tables::Rule& rule) {
  return tuner::break_even_text(rule.what.message, rule.previous, rule.first_measured);
}

std::string measured_at(const tables::Rule& rule) {
  if (rule.first_measured == rule.last_measured) return to_text(rule.first_measured);
  return fmt::format("{} to {}", to_text(rule.first_measured), to_text(rule.last_measured));
}

std::string speedup_of(const tables::Rule& rule) {
  if (rule.what.variant.is<Native>()) return "-";
  return rule.gains.empty() ? "not measured"
                            : tables::factor_text(tables::mean_speedup(rule.gains));
}

std::string range_of(const tables::Rule& rule) {
  return rule.gains.empty() ? "" : tables::range_text(rule.gains);
}

std::string near_best_of(const tables::Rule& rule) {
  if (rule.certainty == tables::Certainty::too_few) return "too few";
  if (rule.near_best == 0 && rule.rivals.empty()) return "-";  // no candidate to compare with
  if (rule.near_best > 0.99) return "> 99 %";
  return fmt::format("{:.0f} %", std::floor(100 * rule.near_best));
}

/// "or ring, native and 2 more", of an undecided rule.
std::string rivals_of(const tables::Rule& rule) {
  constexpr std::size_t kMost = 3;
  if (rule.certainty == tables::Certainty::decided || rule.rivals.empty()) return "";
  const std::size_t shown = std::min(kMost, rule.rivals.size());
  std::string text;
  for (const Variant& each : std::span{rule.rivals}.first(shown)) {
    text += (text.empty() ? "or " : ", ") + to_text(each);
  }
  if (shown < rule.rivals.size()) text += fmt::format(" and {} more", rule.rivals.size() - shown);
  return text;
}

/// The doubts about a rule.
std::string doubts_of(const tables::Rule& rule) {
  std::string rivals = rivals_of(rule);
  if (rule.gains.empty() || tables::mean_speedup(rule.gains).low > 1) return rivals;
  return rivals.empty() ? "(no gain shown)" : "(no gain shown) " + rivals;
}

/// A line, and another one for doubts where they don't fit.
std::string lines_of(const tables::Rule& rule) {
  std::string line = to_text(Row{from_text(rule), measured_at(rule), speedup_of(rule),
                                 range_of(rule), near_best_of(rule)});
  const std::size_t indent = line.size();
  line += to_text(rule.what.variant);
  const std::string doubts = doubts_of(rule);
  if (doubts.empty()) return line + '\n';
  if (line.size() + 1 + doubts.size() <= kColumns) return line + ' ' + doubts + '\n';
  const std::size_t begin = std::min(indent, kColumns - std::min(kColumns, doubts.size()));
  return fmt::format("{}\n{:{}}{}\n", line, "", begin, doubts);
}

std::string heading_of(Collective collective, CallForm form) {
  const std::string_view message = !counts_one_block(collective) ? "the whole vector"
                                   : irregular(collective)       ? "the mean block of a process"
                                                                 : "the block of one process";
  return fmt::format("\n{} (message: {})\n", call_name(collective, form), message);
}

std::string heading_of(const Case& what, bool oversubscribed) {
  const std::string at_once =
      what.comms_per_node == 1
          ? ""
          : fmt::format(", {} communicators on each node at once", what.comms_per_node);
  return fmt::format("  p = {}: {} {} of {}, mapping {}{}{}\n", what.procs, what.nodes,
                     what.nodes == 1 ? "node" : "nodes", what.procs_per_node, to_text(what.mapping),
                     at_once, oversubscribed ? "; OVERSUBSCRIBED: more processes than cores" : "");
}

std::string rows_of(const tables::Table& table) {
  std::string text;
  const tables::Rule* previous = nullptr;
  for (const tables::Rule& rule : table.rules) {
    const bool same_call = previous != nullptr &&
                           previous->what.collective == rule.what.collective &&
                           previous->what.form == rule.what.form;
    if (!same_call) {
      text += fmt::format("{}{}algorithm\n", heading_of(rule.what.collective, rule.what.form),
                          to_text(kHeads));
    }
    if (!same_call || layout_of(previous->what) != layout_of(rule.what)) {
      text += heading_of(rule.what, rule.oversubscribed);
    }
    text += lines_of(rule);
    previous = &rule;
  }
  return text;
}

std::string equal_schedules(const ReadableTables& tables) {
  std::vector<Case> cases;
  for (const tables::Table* table : {tables.library, tables.all}) {
    if (table == nullptr) continue;
    for (const tables::Rule& rule : table->rules) cases.push_back(rule.what);
  }
  const std::vector<std::string> lines = tuner::other_names(cases);
  if (lines.empty()) return "";
  return fmt::format("\nEqual schedules\n  {}\n", fmt::join(lines, "\n  "));
}

std::string group_of(const tuner::CrossValidation& checked) {
  std::string text = call_name(checked.collective, checked.form);
  if (checked.mapping != Mapping::seq)
    text += fmt::format(", mapping {}", to_text(checked.mapping));
  if (checked.candidates == tables::Candidates::library) text += ", the library's own algorithms";
  return text;
}

/// "p = 2,4,8"; "2x4,4x2" on several nodes.
std::string layouts_of(std::span<const NodeLayout> layouts) {
  constexpr std::size_t kListed = 6;
  const bool on_nodes = std::ranges::any_of(
      layouts, [](const NodeLayout& each) { return each.nodes > 1 || each.comms_per_node > 1; });
  std::vector<std::string> names;
  for (const NodeLayout& each : layouts)
    names.push_back(on_nodes ? shape_text(each) : fmt::to_string(each.procs));
  const std::string_view what = on_nodes ? "layouts" : "p";
  if (names.size() > kListed)
    return fmt::format("{} {} from {} to {}", names.size(), what, names.front(), names.back());
  return fmt::format("{}{}", on_nodes ? "" : "p = ", fmt::join(names, ","));
}

std::string result_of(const tuner::CrossValidation& checked) {
  std::string text = layouts_of(checked.layouts) + " held out: ";
  if (checked.cells == 0) {
    return text + fmt::format("what it chooses was measured in none of {} cells", checked.unknown);
  }
  text += fmt::format(
      "regret {:.1f}% on average, {:.1f}% at worst\n      ({}, {}); native significantly "
      "faster "
      "in {} "
      "of {} cells",
      100 * checked.mean_regret, 100 * checked.worst_regret,
      layouts_of({{layout_of(checked.worst)}}), to_text(checked.worst.message),
      checked.native_better, checked.cells);
  if (checked.mean_regret_by_procs) {
    text += fmt::format("; of a table by p alone {:.1f}% on average",
                        100 * *checked.mean_regret_by_procs);
  }
  if (checked.unknown > 0) {
    text += fmt::format("; its choice not measured in {} more", checked.unknown);
  }
  return text;
}

std::string rows_of_few_launches(const tables::Table& table) {
  constexpr std::size_t kMost = 12;
  std::vector<const tables::Rule*> few;
  for (const tables::Rule& rule : table.rules) {
    if (rule.certainty == tables::Certainty::too_few) few.push_back(&rule);
  }
  if (few.empty()) return "";
  std::string text = "\n";
  for (std::size_t i = 0; i < std::min(kMost, few.size()); ++i) {
    const Case& what = few[i]->what;
    text += fmt::format(
        "too few launches: {} p={}{} from {}: {}\n", call_name(what.collective, what.form),
        what.procs, what.mapping == Mapping::seq ? "" : " mapping " + to_text(what.mapping),
        from_text(*few[i]),
        few[i]->launches == 1 ? "1 launch" : fmt::format("{} launches", few[i]->launches));
  }
  if (few.size() > kMost)
    text += fmt::format("too few launches: {} more rows\n", few.size() - kMost);
  return text;
}

std::string part_of(std::string_view title, const tables::Table& table) {
  return fmt::format("\n{}\n  {}\n", title, fmt::join(tables::worth_lines(table), "\n  ")) +
         rows_of(table);
}

std::string library_part(const ReadableTables& tables) {
  constexpr std::string_view kTitle = "INSIDE THE LIBRARY";
  if (tables.library == nullptr) {
    return fmt::format("\n{}: no table, for none of its own algorithms was measured\n", kTitle);
  }
  const std::string by = tables.library_files.empty()
                             ? ""
                             : fmt::format(", by {}", fmt::join(tables.library_files, ", "));
  const std::string title = fmt::format("{}: its own algorithms{}", kTitle, by);
  const formats::ContainedTable contained = contained_in(tables.library_answers, *tables.library);
  std::string text = part_of(title, contained.table);
  if (!contained.missing.empty()) {
    text +=
        fmt::format("\n  The library's files can't say, for the reasons in their heads:\n    {}\n",
                    fmt::join(contained.missing, "\n    "));
  }
  return text;
}

/// Where the C++ header chooses otherwise, for want of the library's own algorithms.
std::string header_part(const tables::Table& header, const tables::Table& all) {
  std::string text;
  for (const tables::Rule& rule : all.rules) {
    Case what = rule.what;
    what.message = rule.first_measured;
    const Case choice = tables::chosen(header, what);
    if (choice != what) text += fmt::format("    {}\n", formats::choice_at(choice));
  }
  return text.empty() ? text : "\n  breakeven_table.hpp chooses otherwise:\n" + text;
}

}  // namespace

std::string between_measured(std::span<const tuner::CrossValidation> checked) {
  if (checked.empty()) return "";
  std::string text =
      "\nBetween measured layouts\n  the rule of the nearest p or layout holds, or native (see the "
      "emitted files); checked by\n  leaving out one of them at a time and choosing there by the "
      "others:\n";
  const std::size_t heading = text.size();
  for (const tuner::CrossValidation& each : checked) {
    if (!each.layouts.empty()) text += fmt::format("    {}: {}\n", group_of(each), result_of(each));
  }
  return text.size() > heading ? text : "";
}

std::string readable(const ReadableTables& tables, const tables::Provenance& provenance,
                     std::string_view notes) {
  std::string text = "Breakeven table: which algorithm to use from which message size on\n\n";
  const tables::Table& described = tables.all != nullptr ? *tables.all : *tables.library;
  for (const std::string& line : formats::describe(described, provenance))
    text += "  " + line + '\n';
  if (provenance.machine.kind == MachineKind::library) text += library_part(tables);
  if (tables.all != nullptr) {
    const bool library = provenance.machine.kind == MachineKind::library;
    text += part_of(
        library ? "WITH BREAKEVEN'S ALGORITHMS: `breakeven run`, or the C++ header" : "CHOICES",
        *tables.all);
    if (tables.header != nullptr) text += header_part(*tables.header, *tables.all);
  }
  return text.append(rows_of_few_launches(described))
      .append(equal_schedules(tables))
      .append(kLegend)
      .append(notes);
}

std::string notes_in(std::string_view text) {
  const std::size_t at = text.find(kLegend);
  return at == std::string_view::npos ? "" : std::string{text.substr(at + kLegend.size())};
}

}  // namespace breakeven::tuner
