// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <utility>

#include "libraries/library_algorithm.hpp"
#include "tables/formats/own/json.hpp"

namespace breakeven::formats {

namespace {

/// The sizes that belong to a rule: those below the first one of its p too.
Range bytes_of(const tables::Table& table, std::size_t index) {
  const auto same_problem = [&](std::size_t other) {
    return tables::place_of(table.rules[other].what) == tables::place_of(table.rules[index].what);
  };
  Range bytes;
  if (index > 0 && same_problem(index - 1)) bytes.first = table.rules[index].what.message.value;
  if (index + 1 < table.rules.size() && same_problem(index + 1)) {
    bytes.last = table.rules[index + 1].what.message.value - 1;
  }
  return bytes;
}

/// Why the rule's algorithm is not the choice for a p that was not measured.
std::string why_native(const tables::Rule& rule, const Case& problem) {
  const std::string algorithm = algorithm_text(rule.what);
  if (rule.what.variant.is<LibraryOwn>()) {
    Case what = rule.what;
    what.procs = problem.procs;
    what.message = problem.message;
    if (const auto reason = libraries::refusal(what))
      return fmt::format("not {}, which {}", algorithm, *reason);
    return fmt::format("not {}: p lies outside of those measured", algorithm);
  }
  if (rule.requirement.text == tables::kMeasuredProcs.text)
    return fmt::format("not {}: its parameters are for p = {}", algorithm, rule.what.procs);
  return fmt::format("not {}, which needs {}", algorithm, rule.requirement.text);
}

std::string_view meaning_of(tables::Certainty certainty) {
  switch (certainty) {
    case tables::Certainty::decided: return "probably within 3 % of the fastest";
    case tables::Certainty::undecided: return "another may be more than 3 % faster";
    case tables::Certainty::too_few: break;
  }
  return "not enough launches to compare";
}

/// @param lines  of the rules
Answer answer(const tables::Table& table, const std::vector<int>& lines, const Case& problem) {
  const tables::Rule* const rule = table.find_rule(problem);
  if (rule == nullptr) {
    return {.rule =
                fmt::format("no rule for {}, mapping {}",
                            call_name(problem.collective, problem.form), to_text(problem.mapping))};
  }
  const tables::Choice choice = table.follow(*rule, problem);
  const auto index = static_cast<std::size_t>(rule - table.rules.data());
  Answer answer{.variant = choice.variant,
                .line = lines.at(index),
                .rule = fmt::format("p = {}, bytes {} (this call: {})", rule->what.procs,
                                    to_text(bytes_of(table, index)), problem.message.value)};
  if (!choice.measured) {
    answer.notes.push_back(
        table.candidates == tables::Candidates::library
            ? fmt::format("p = {} was not measured; of those that were, p = {} is nearest by ratio",
                          problem.procs, rule->what.procs)
            : fmt::format(
                  "p = {} as {} was not measured; of the layouts that were, p = {} as {} is "
                  "nearest",
                  problem.procs, shape_text(layout_of(problem)), rule->what.procs,
                  shape_text(layout_of(rule->what))));
  }
  if (answer.variant != rule->what.variant) {
    answer.notes.push_back(why_native(*rule, problem));
  }
  answer.notes.push_back(fmt::format(
      "measured at p = {}, {} B, {} launches; {}: {}", rule->what.procs,
      to_text(Range{rule->first_measured.value, rule->last_measured.value}), rule->launches,
      tables::kCertainties.of(rule->certainty), meaning_of(rule->certainty)));
  return answer;
}

}  // namespace

ReadTable as_read_table(ReadKept read) {
  ReadTable table{.faults = std::move(read.faults)};
  if (!table.faults.empty()) return table;
  for (const tables::Rule& rule : read.kept.table.rules) {
    table.collectives.insert(rule.what.collective);
  }
  table.answer = [kept = std::move(read.kept.table), lines = std::move(read.lines)](
                     const Case& problem) { return answer(kept, lines, problem); };
  return table;
}

}  // namespace breakeven::formats
