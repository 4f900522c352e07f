// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/error.hpp"
#include "core/json.hpp"
#include "report/plots.hpp"
#include "report/sheet.hpp"
#include "report/words.hpp"

namespace breakeven::report {

namespace {

constexpr std::string_view kOfLibrary = "°";
constexpr const char* kReordered = "′";

Json key_entry(std::string_view colour, std::string_view text, std::string_view name,
               bool hatched = false) {
  return {{"colour", colour},
          {"pale", paler(colour, 0.45)},
          {"text", text},
          {"hatched", hatched},
          {"name", name}};
}

/// @param look_of  the cell of a decision
Json panel_json(const Sheet& sheet, const auto& look_of) {
  Json rows = Json::array();
  Json cells = Json::array();
  for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
    rows.push_back(row_text(sheet, row));
    Json line = Json::array();
    for (std::size_t size = 0; size < sheet.sizes.size(); ++size) {
      const tuner::Decision* const cell = sheet.at(row, size);
      line.push_back(cell == nullptr ? Json{} : look_of(*cell));
    }
    cells.push_back(std::move(line));
  }
  Json sizes = Json::array();
  for (const Bytes size : sheet.sizes) sizes.push_back(short_bytes(size));
  const auto first = std::ranges::find_if(sheet.cells, [](const auto* each) { return each; });
  const std::string data = data_text(with_counts(sheet.kind, (*first)->contest().problem.counts));
  return {{"title", fmt::format("{}{}", kCollectives.of(sheet.kind.collective),
                                data.empty() ? "" : fmt::format("  ({})", data))},
          {"axis", "message, bytes: " + std::string{counted_text(sheet.kind.collective)}},
          {"rows", std::move(rows)},
          {"apart", std::ranges::count(sheet.rows, true, &Row::oversubscribed)},
          {"sizes", std::move(sizes)},
          {"cells", std::move(cells)}};
}

std::string launches_text(std::span<const tuner::Decision> decisions) {
  std::set<std::size_t> counts;
  for (const tuner::Decision& decision : decisions) {
    for (const tuner::Candidate& each : decision.contest().candidates) {
      counts.insert(each.times.by_launch.size());
    }
  }
  const std::size_t most = *counts.rbegin();
  return fmt::format("{}{} launch{}",
                     counts.size() == 1 ? "" : fmt::format("{} to ", *counts.begin()), most,
                     most == 1 ? "" : "es");
}

/// Notes on cells that are not shown, or shown apart.
void add_notes(Json& notes, std::span<const Sheet> sheets) {
  std::set<Bytes> left_out;
  for (const Sheet& each : sheets) left_out.insert(each.left_out.begin(), each.left_out.end());
  if (!left_out.empty()) {
    notes.push_back(fmt::format(
        "Not shown: {} sizes between {} and {} that less than half of the numbers of processes "
        "have.",
        left_out.size(), to_text(*left_out.begin()), to_text(*left_out.rbegin())));
  }
  const auto has_rows_apart = [](const Sheet& each) { return each.rows.back().oversubscribed; };
  if (std::ranges::any_of(sheets, has_rows_apart)) {
    notes.push_back(
        "*: more processes than cores, which take turns: such times compare with no others.");
  }
  const auto shares_nodes = [](const Row& row) { return row.comms_per_node > 1; };
  if (std::ranges::any_of(sheets, [&](const Sheet& each) {
        return std::ranges::any_of(each.rows, shares_nodes);
      })) {
    notes.push_back("4 (2×2*3): three communicators of 2×2 processes call at once on their nodes.");
  }
}

/// @param map  the title, the key, notes and whether there are lines
std::string map_json(Json map, const Machine& machine, std::span<const tuner::Decision> decisions,
                     std::span<const Sheet> sheets, const auto& look_of) {
  add_notes(map["notes"], sheets);
  map["machine"] = json_of(machine);
  map["launches"] = launches_text(decisions);
  for (const Sheet& each : sheets) map["panels"].push_back(panel_json(each, look_of));
  return map.dump();
}

/// The candidate of this name / the fastest other one.
std::optional<stats::RatioInterval> best_ratio(const tuner::Contest& contest,
                                               std::string_view baseline) {
  const auto is_baseline = [&](const tuner::Candidate& each) {
    return to_text(each.times.what.variant) == baseline;
  };
  const auto divided = std::ranges::find_if(contest.candidates, is_baseline);
  const auto best = std::ranges::find_if_not(contest.candidates, is_baseline);
  if (divided == contest.candidates.end() || best == contest.candidates.end()) return std::nullopt;
  return stats::interval_of(divided->log_time - best->log_time);
}

bool decided(const tuner::Decision& decision) {
  return decision.certainty == tables::Certainty::decided;
}

bool reordered(const tuner::Decision& decision) {
  return decision.choice().times.what.variant.params().find("reorder_ranks=") != std::string::npos;
}

/// The algorithms that are a choice somewhere, families together.
std::vector<std::string> chosen_algorithms(std::span<const tuner::Decision> decisions) {
  std::set<std::string> names;
  for (const tuner::Decision& each : decisions)
    names.insert(each.choice().times.what.variant.algorithm());
  std::vector<std::string> chosen{names.begin(), names.end()};
  std::ranges::stable_sort(chosen, {}, family_of);
  return chosen;
}

/// @param short_names  of the chosen algorithms
Json notes_on(std::span<const tuner::Decision> decisions,
              const std::map<std::string, std::string>& short_names) {
  Json notes = Json::array();
  if (short_names.contains(std::string{kNative})) {
    notes.push_back("Grey without letters: the library's default stays; no rule of a table pays.");
  }
  notes.push_back(
      "Line: break-even, where the choice changes. A table decides all sizes together; one rule "
      "more has to save 3.5 % over one doubling of the size. One colour: one family of "
      "algorithms.");
  const auto of_library = [](const auto& each) { return each.second.ends_with(kOfLibrary); };
  if (std::ranges::any_of(short_names, of_library)) {
    notes.push_back(fmt::format(
        "{}: done by the library itself, by an algorithm or collectives that it has.", kOfLibrary));
  }
  if (std::ranges::any_of(decisions, reordered)) {
    notes.push_back(fmt::format("{}: with its ranks reordered, so that less passes between nodes.",
                                kReordered));
  }
  std::set<std::string> others;  // in words
  for (const tuner::Decision& decision : decisions) {
    for (const tuner::Candidate& each : decision.contest().candidates) {
      const std::string name = each.times.what.variant.algorithm();
      if (!short_names.contains(name)) others.insert(display_name(name));
    }
  }
  if (!others.empty()) {
    notes.push_back(fmt::format("Measured, but chosen nowhere: {}.", fmt::join(others, ", ")));
  }
  if (!std::ranges::all_of(decisions, decided)) {
    notes.push_back("Undecided: another candidate may be more than 3 % faster.");
  }
  return notes;
}

}  // namespace

std::string fastest_map_json(const Machine& machine, std::span<const tuner::Decision> decisions) {
  const std::vector<Sheet> sheets = sheets_of(decisions, Panels::for_all_mappings);
  const std::vector<std::string> chosen = chosen_algorithms(decisions);
  const auto short_names = abbreviations(chosen);
  Json key = Json::array();
  for (const std::string& each : chosen) {
    key.push_back(key_entry(family(each).fill, short_names.at(each), display_name(each)));
  }
  if (!std::ranges::all_of(decisions, decided)) {
    key.push_back(key_entry("#ffffff", "", "undecided", true));
  }
  if (std::ranges::any_of(sheets, has_gaps)) {
    key.push_back(key_entry("#ffffff", "×", "not measured"));
  }
  const auto look_of = [&](const tuner::Decision& decision) -> Json {
    const std::string name = decision.choice().times.what.variant.algorithm();
    return {{"look", std::ranges::find(chosen, name) - chosen.begin()},
            {"text", short_names.at(name) + (reordered(decision) ? kReordered : "")},
            {"light", !decided(decision)},
            {"hatched", !decided(decision)}};
  };
  return map_json({{"title", "Choices of a table by message size and number of processes"},
                   {"key", std::move(key)},
                   {"notes", notes_on(decisions, short_names)},
                   {"lines", true}},
                  machine, decisions, sheets, look_of);
}

std::string ratio_map_json(const Machine& machine, std::span<const tuner::Decision> decisions,
                           std::string_view baseline) {
  const auto class_of = [&](const stats::RatioInterval& ratio) {
    return ratio_class(ratio.low <= 1 && 1 <= ratio.high ? 1 : ratio.ratio);
  };
  const auto ratio_of = [&](const tuner::Decision* decision) {
    return decision == nullptr ? std::nullopt : best_ratio(decision->contest(), baseline);
  };
  std::vector<Sheet> sheets = sheets_of(decisions, Panels::for_all_mappings);
  std::set<std::size_t> classes;
  std::erase_if(sheets, [&](const Sheet& sheet) {
    bool empty = true;
    for (const tuner::Decision* each : sheet.cells) {
      const auto ratio = ratio_of(each);
      if (ratio) classes.insert(class_of(*ratio));
      if (ratio) empty = false;
    }
    return empty;
  });
  const std::string name =
      baseline == kNative ? "the library's own collective" : display_name(baseline);
  if (sheets.empty()) {
    throw UsageError(fmt::format(
        "no cell compares an algorithm with {} ('{}') on {}: {}", name, baseline, machine.name,
        baseline == kNative && machine.kind == MachineKind::model ? "a model has none"
                                                                  : "a sweep must measure both"));
  }
  Json key = Json::array();
  for (std::size_t i = *classes.begin(); i <= *classes.rbegin(); ++i) {
    key.push_back(key_entry(kRatioColours[i], "", ratio_class_text(i)));
  }
  const auto look_of = [&](const tuner::Decision& decision) -> Json {
    const auto ratio = ratio_of(&decision);
    if (!ratio) return nullptr;
    return {{"look", class_of(*ratio) - *classes.begin()},
            {"text", ratio->ratio < 9.95 ? fmt::format("{:#.2g}", ratio->ratio)
                                         : fmt::format("{:.0f}", ratio->ratio)},
            {"light", ratio->low <= 1 && 1 <= ratio->high},
            {"hatched", false}};
  };
  return map_json(
      {{"title", "Speedup of the best algorithm over " + name},
       {"key", std::move(key)},
       {"notes",
        {fmt::format("Number: time of {} / that of the best other algorithm; above 1 the latter "
                     "is faster. ×: not both measured.",
                     name),
         "Light numbers on grey: no significant difference (the 95 % interval of the ratio has 1 "
         "in it)."}},
       {"lines", false}},
      machine, decisions, sheets, look_of);
}

}  // namespace breakeven::report
