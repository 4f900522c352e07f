// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/json.hpp"
#include "tuner/comparison.hpp"

namespace breakeven::tuner {

namespace {

constexpr std::array kLetters{"A", "B"};

std::string to_text(const stats::RatioInterval& interval) {
  return fmt::format("{:.3f} ({:.3f}-{:.3f})", interval.ratio, interval.low, interval.high);
}

std::string where(const Case& problem) {
  return fmt::format("{} {}{}", kCollectives.of(problem.collective), procs_text(layout_of(problem)),
                     problem.mapping == Mapping::seq
                         ? ""
                         : fmt::format(" mapping {}", breakeven::to_text(problem.mapping)));
}

struct CellCounts {
  int same = 0;
  int as_good = 0;
  int differ = 0;
};

CellCounts count(const Comparison& comparison) {
  CellCounts counts;
  for (const ComparedCell& cell : comparison.cells) {
    ++(cell.same ? counts.same : cell.as_good() ? counts.as_good : counts.differ);
  }
  return counts;
}

std::string data_lines(const OnData& data, std::size_t side) {
  if (data.cells == 0) {
    return fmt::format("by the data of {}: no cell has both choices measured\n", kLetters[side]);
  }
  std::string text = fmt::format("by the data of {}: A's choices take {} times as long as B's",
                                 kLetters[side], to_text(interval_of(data.log_ratio)));
  if (data.not_measured > 0) {
    text += fmt::format("; in {} of {} cells one of them was not measured", data.not_measured,
                        data.not_measured + data.cells);
  }
  if (data.aside > 0) {
    text += fmt::format("; {} cells with more processes than cores are not counted", data.aside);
  }
  text += '\n';
  for (const std::size_t loser : {0U, 1U}) {
    text += fmt::format("  {} loses", kLetters[loser]);
    if (data.worst_loss[loser] > 0) {
      const Case& worst = data.worst[loser];
      text += fmt::format(" {:.1f} % at worst ({}, {})", 100 * data.worst_loss[loser], where(worst),
                          breakeven::to_text(worst.message));
    } else {
      text += " nowhere";
    }
    text += fmt::format("; significantly more than {:.0f} % slower than native in {} cells\n",
                        100 * kNearBest, data.slower_than_native[loser]);
  }
  return text;
}

std::string ratio_of(const ComparedCell& cell) {
  std::string text;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!cell.log_ratio[side]) continue;
    text += fmt::format("  {} {}", kLetters[side], to_text(interval_of(*cell.log_ratio[side])));
  }
  return text;
}

/// A line for neighbours, with the ratio where it is farthest from none.
std::string line_of(std::span<const ComparedCell> cells) {
  const auto distance = [](const ComparedCell& cell) {
    double most = 0;
    for (const auto& ratio : cell.log_ratio) {
      if (ratio) most = std::max(most, std::abs(ratio->mean));
    }
    return most;
  };
  const ComparedCell& farthest = *std::ranges::max_element(cells, {}, distance);
  const std::string first = breakeven::to_text(cells.front().problem.message);
  const std::string last = breakeven::to_text(cells.back().problem.message);
  return fmt::format("  {}, {}: A {}, B {}\n", where(cells.front().problem),
                     first == last ? first : fmt::format("{} to {}", first, last),
                     to_text(cells.front().choices[0]), to_text(cells.front().choices[1])) +
         (ratio_of(farthest).empty()
              ? ""
              : fmt::format("      A / B at {}, by the data of:{}\n",
                            breakeven::to_text(farthest.problem.message), ratio_of(farthest)));
}

std::string differing_lines(const Comparison& comparison) {
  std::string text;
  const std::vector<ComparedCell>& cells = comparison.cells;
  for (auto first = cells.begin(); first != cells.end();) {
    const auto last = std::find_if(first, cells.end(), [&](const ComparedCell& each) {
      return !differ_in_size_alone(each.problem, first->problem) || each.choices != first->choices;
    });
    const std::span<const ComparedCell> run{first, last};
    const bool differ = std::ranges::any_of(
        run, [](const ComparedCell& each) { return !each.same && !each.as_good(); });
    if (differ) text += line_of(run);
    first = last;
  }
  return text;
}

std::string verdict_of(const Comparison& comparison) {
  const std::optional<int> worse = comparison.worse();
  if (worse) {
    return fmt::format("{} is significantly slower: use {}.\n",
                       kLetters[static_cast<std::size_t>(*worse)],
                       kLetters[static_cast<std::size_t>(1 - *worse)]);
  }
  if (comparison.each_slower_by_the_other()) {
    return "Each is significantly slower by the other's data: A's decisions do not hold for B, nor "
           "B's for A.\n";
  }
  const bool any = std::ranges::any_of(comparison.on_data,
                                       [](const auto& data) { return data && data->cells > 0; });
  return any ? "Neither is significantly slower by all data: no change of table is shown to pay.\n"
             : "No data say which is slower.\n";
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const Side& first, const Side& second) {
  const CellCounts counts = count(comparison);
  std::string text = fmt::format("A  {}: {} rules\nB  {}: {} rules\n\n", first.name,
                                 first.table.rules.size(), second.name, second.table.rules.size());
  for (const std::string& each : comparison.remarks) text += each + '\n';
  if (!comparison.remarks.empty()) text += '\n';
  text += fmt::format(
      "{} cells (a size at a p): {} with the same choice, {} with choices within {:.0f} % of each "
      "other,\n{} others\n",
      comparison.cells.size(), counts.same, counts.as_good, 100 * kNearBest, counts.differ);
  for (std::size_t side = 0; side < 2; ++side) {
    const std::optional<OnData>& data = comparison.on_data[side];
    if (data) text += data_lines(*data, side);
  }
  const std::string differing = differing_lines(comparison);
  if (!differing.empty()) text += "\nWhere they differ\n" + differing;
  return text + '\n' + verdict_of(comparison);
}

std::string comparison_json(const Comparison& comparison, const Side& first, const Side& second) {
  Json json;
  for (const Side* side : {&first, &second}) {
    json["sides"].push_back({{"name", side->name}, {"rules", side->table.rules.size()}});
  }
  json["remarks"] = comparison.remarks;
  json["slower"] = json_of(comparison.worse());
  json["each_slower_by_the_other"] = comparison.each_slower_by_the_other();
  for (std::size_t i = 0; i < 2; ++i) {
    const std::optional<OnData>& data = comparison.on_data[i];
    if (!data || data->cells == 0) continue;
    Json of_data = json_of(interval_of(data->log_ratio));
    of_data["data_of"] = i;
    of_data["cells"] = data->cells;
    of_data["not_measured"] = data->not_measured;
    of_data["aside"] = data->aside;
    of_data["worst_loss"] = data->worst_loss;
    of_data["slower_than_native"] = data->slower_than_native;
    json["on_data"].push_back(std::move(of_data));
  }
  for (const ComparedCell& cell : comparison.cells) {
    Json of_cell{{"collective", kCollectives.of(cell.problem.collective)},
                 {"mapping", breakeven::to_text(cell.problem.mapping)},
                 {"procs", cell.problem.procs},
                 {"message_bytes", cell.problem.message.value},
                 {"choices", {to_text(cell.choices[0]), to_text(cell.choices[1])}},
                 {"same", cell.same}};
    for (std::size_t i = 0; i < 2; ++i) {
      if (!cell.log_ratio[i]) continue;
      Json on = json_of(interval_of(*cell.log_ratio[i]));
      on["data_of"] = i;
      of_cell["on_data"].push_back(std::move(on));
    }
    json["cells"].push_back(std::move(of_cell));
  }
  return json.dump(2) + '\n';
}

}  // namespace breakeven::tuner
