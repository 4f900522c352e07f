// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/xml.hpp"
#include "report/data.hpp"
#include "report/parts.hpp"
#include "report/words.hpp"
#include "stats/median.hpp"
#include "tables/worth.hpp"
#include "tuner/break_even.hpp"

namespace breakeven::report {

namespace {

std::string place_text(const Case& problem) {
  std::string text{kCollectives.of(problem.collective)};
  if (moves_data(problem.collective)) text += fmt::format(" of {}", to_text(problem.message));
  text += fmt::format(" on {} processes", problem.procs);
  if (problem.nodes > 1) text += fmt::format(" on {} nodes", problem.nodes);
  return text;
}

std::string machine_text(const Machine& machine) {
  if (machine.kind == MachineKind::model) return "this model";
  return escaped(library_in_words(machine.name));
}

/// The cells whose processes have a core each, or those whose processes take turns: no sentence
/// counts both.
std::vector<const tuner::Decision*> shown(std::span<const Sheet> sheets, bool oversubscribed) {
  std::vector<const tuner::Decision*> all;
  for (const Sheet& sheet : sheets) {
    std::ranges::copy_if(sheet.cells, std::back_inserter(all), [&](const tuner::Decision* each) {
      return each != nullptr && each->oversubscribed == oversubscribed;
    });
  }
  return all;
}

/// The algorithm that is chosen most often, of cells without the library's default.
std::string most_chosen(std::span<const tuner::Decision* const> cells) {
  std::map<std::string, int> often;
  for (const tuner::Decision* each : cells) ++often[each->choice().times.what.variant.algorithm()];
  const auto most =
      std::ranges::max_element(often, {}, [](const auto& entry) { return entry.second; });
  return fmt::format(
      "{} algorithms are each the choice somewhere, {} most often: in {} of {} cells", often.size(),
      escaped(display_name(most->first)), most->second, cells.size());
}

/// Neighbouring sizes of a row with one choice.
struct Rule {
  const tuner::Decision* first = nullptr;
  const tuner::Decision* last = nullptr;
  const tuner::Decision* before = nullptr;
  std::vector<tables::SizeGain> gains{};
  int sizes = 0;
  int decided = 0;
};

std::vector<Rule> rules_of(const Sheet& sheet, std::size_t row) {
  std::vector<Rule> rules;
  for (std::size_t size = 0; size < sheet.sizes.size(); ++size) {
    const tuner::Decision* const cell = sheet.at(row, size);
    if (cell == nullptr) continue;
    if (rules.empty() || choice_of(*rules.back().first) != choice_of(*cell)) {
      rules.push_back({.first = cell, .before = rules.empty() ? nullptr : rules.back().last});
    }
    Rule& rule = rules.back();
    rule.last = cell;
    ++rule.sizes;
    if (cell->certainty == tables::Certainty::decided) ++rule.decided;
    if (cell->speedup && !cell->choice().native()) {
      rule.gains.push_back({cell->problem.message, *cell->speedup});
    }
  }
  return rules;
}

}  // namespace

std::string findings_sentence(const Subject& subject, std::span<const Sheet> sheets) {
  const std::vector<const tuner::Decision*> cells = shown(sheets, false);
  const std::string machine = machine_text(subject.machine);
  if (cells.empty()) {
    return fmt::format(
        "All {} cells of {} have more processes than cores, which take turns: the maps show the "
        "choices for these jobs, and no speedup is claimed for others.",
        shown(sheets, true).size(), machine);
  }
  const bool compared =
      std::ranges::any_of(cells, [](const auto* each) { return each->speedup.has_value(); });
  if (!compared) return fmt::format("On {} {}.", machine, most_chosen(cells));
  std::vector<double> ratios;
  const tuner::Decision* most = nullptr;
  for (const tuner::Decision* each : cells) {
    if (!each->speedup || each->speedup->low <= 1) continue;
    ratios.push_back(each->speedup->ratio);
    if (most == nullptr || each->speedup->low > most->speedup->low) most = each;
  }
  if (most == nullptr) {
    return fmt::format(
        "In none of {} cells is a table significantly faster than the default of {}.", cells.size(),
        machine);
  }
  return fmt::format(
      "In <b>{} of {}</b> cells a table is significantly faster than the default of {}: "
      "<b>{:.2f} times</b> as fast in the median of these cells, up to {} times for {}.",
      ratios.size(), cells.size(), machine, stats::median(ratios), interval_text(*most->speedup),
      place_text(most->problem));
}

std::string certainty_sentence(std::span<const Sheet> sheets) {
  std::vector<const tuner::Decision*> cells = shown(sheets, false);
  const std::vector<const tuner::Decision*> turns = shown(sheets, true);
  const bool apart = !turns.empty() && !cells.empty();
  if (cells.empty()) cells = turns;
  const auto decided = std::ranges::count(cells, tables::Certainty::decided,
                                          [](const auto* each) { return each->certainty; });
  std::string text = fmt::format(
      "{} of the {} choices are decided: within 3 % of the fastest candidate with a probability of "
      "95 %. A cell is a message size at a number of processes; significantly faster is one whose "
      "own 95 % interval lies above 1, whatever the number of cells.",
      decided, cells.size());
  if (apart) {
    text += fmt::format(" Not counted: {} cells with more processes than cores.", turns.size());
  }
  return text;
}

std::string choices_list(const Sheet& sheet) {
  std::string text =
      "<details class=\"list\"><summary>Choices as a list</summary><div class=\"scroll\"><table>"
      "<thead><tr><th>p<th>from<th>measured at<th>algorithm<th>times as fast as the default"
      "<th>range<th>decided</thead><tbody>\n";
  for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
    for (const Rule& rule : rules_of(sheet, row)) {
      const Bytes first = rule.first->problem.message;
      const std::string from =
          rule.before == nullptr
              ? to_text(first)
              : tuner::break_even_text(tuner::break_even(*rule.before, *rule.first),
                                       rule.before->problem.message, first);
      std::string measured = to_text(rule.first->problem.message);
      if (rule.sizes > 1) measured += fmt::format(" to {}", to_text(rule.last->problem.message));
      text += fmt::format(
          "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{} of {}\n", row_text(sheet, row), from,
          measured, escaped(display_name(choice_of(*rule.first))),
          rule.gains.empty() ? "–" : interval_text(tables::mean_speedup(rule.gains)),
          rule.gains.empty() ? "–" : tables::range_text(rule.gains), rule.decided, rule.sizes);
    }
  }
  return text + "</tbody></table></div></details>\n";
}

}  // namespace breakeven::report
