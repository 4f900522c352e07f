// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/json.hpp"
#include "report/plots.hpp"
#include "report/words.hpp"

namespace breakeven::report {

namespace {

constexpr double kSure = 0.95;

class PredictedMap {
 public:
  PredictedMap(const tuner::ForecastQuestion& question, const sim::MachineDescription& machine,
               std::span<const tuner::ForecastCell> cells, std::string_view baseline)
      : question_{question}, machine_{machine}, baseline_{baseline} {
    for (const tuner::ForecastCell& each : cells) {
      procs_.insert(each.procs);
      sizes_.insert(each.message.value);
      cells_[{each.procs, each.message.value}] = &each;
    }
    if (procs_.size() < 2 || sizes_.size() < 2) {
      throw UsageError("a map needs two numbers of processes and two sizes, or more");
    }
    for (const auto& [place, cell] : cells_) looks_.insert(look_of(*cell));
  }

  [[nodiscard]] Json json() const {
    const std::string collective{kCollectives.of(question_.collective)};
    Json rows = Json::array();
    for (const int procs : procs_) {
      Json row = Json::array();
      for (const std::int64_t size : sizes_) row.push_back(cell_json(*cells_.at({procs, size})));
      rows.push_back(std::move(row));
    }
    return {{"title", baseline_.empty() ? "Predicted fastest algorithm of " + collective
                                        : fmt::format("Predicted gain of {} over {}", collective,
                                                      display_name(baseline_))},
            {"machine", {{"name", machine_.name}}},
            {"key", key()},
            {"notes", notes(rows)},
            {"axis", "message: " + std::string{counted_text(question_.collective)}},
            {"procs", procs_},
            {"sizes", sizes_},
            {"cells", std::move(rows)}};
  }

 private:
  /// Cells of one colour within a line: those of an algorithm, or of a class of ratios. In the
  /// order of the key.
  using Look = std::pair<std::size_t, std::string>;

  [[nodiscard]] Look look_of(const tuner::ForecastCell& cell) const {
    if (!baseline_.empty()) return {ratio_class(ratio_of(cell)), ""};
    const std::string name{cell.fastest().variant.algorithm->name};
    return {family_of(name), name};
  }

  [[nodiscard]] double ratio_of(const tuner::ForecastCell& cell) const {
    const auto is_baseline = [&](const tuner::Forecast& each) {
      return each.variant.algorithm->name == baseline_;
    };
    const auto divided = std::ranges::find_if(cell.times, is_baseline);
    const auto best = std::ranges::find_if_not(cell.times, is_baseline);
    if (divided == cell.times.end() || best == cell.times.end()) {
      throw UsageError(fmt::format("no time of {} and of another at p = {}, {}", baseline_,
                                   cell.procs, to_text(cell.message)));
    }
    return tuner::ratio_of(divided->prediction.time, best->prediction.time);
  }

  [[nodiscard]] Json cell_json(const tuner::ForecastCell& cell) const {
    const auto beyond = tuner::beyond(machine_.limits, cell.procs,
                                      question_.placement.procs_per_node, cell.message);
    return {{"look", std::distance(looks_.begin(), looks_.find(look_of(cell)))},
            {"pale", beyond.has_value()},
            {"hatched", cell.certainty().value_or(1) < kSure},
            {"dotted", cell.fastest().prediction.basis != sim::Basis::simulated}};
  }

  [[nodiscard]] static Json entry(std::string_view colour, std::string_view text,
                                  std::string_view name) {
    return {{"colour", colour}, {"pale", paler(colour, 0.55)}, {"text", text}, {"name", name}};
  }

  [[nodiscard]] Json key() const {
    Json key = Json::array();
    std::vector<std::string> names;
    for (const auto& [group, name] : looks_) names.push_back(name);
    const auto short_names = abbreviations(names);
    std::map<std::size_t, double> strengths;  // members of a family are paler one after the other
    for (const auto& [group, name] : looks_) {
      if (!baseline_.empty()) {
        const std::string text = ratio_class_text(group);
        key.push_back(entry(kRatioColours[group], text, text));
        continue;
      }
      double& strength = strengths.try_emplace(group, 1).first->second;
      const std::string& text = short_names.at(name);
      key.push_back(entry(paler(family(name).fill, strength), text,
                          fmt::format("{} ({})", display_name(name), text)));
      strength *= 0.6;
    }
    return key;
  }

  [[nodiscard]] Json notes(const Json& rows) const {
    const auto any = [&](const char* mark) {
      return std::ranges::any_of(rows, [&](const Json& row) {
        return std::ranges::any_of(row, [&](const Json& cell) { return cell[mark] == true; });
      });
    };
    const bool has_error = machine_.error_of(question_.collective, "", "", 0).has_value();
    Json notes = Json::array();
    notes.push_back(
        baseline_.empty()
            ? "Line: break-even points. An algorithm counts with the best of its parameters."
            : fmt::format("Time of {} / that of the fastest other algorithm; above 1 the other is "
                          "faster.",
                          display_name(baseline_)));
    if (any("dotted")) {
      notes.push_back("Dots: the fastest time is its source's formula or a bound, not simulated.");
    }
    if (any("hatched")) {
      notes.push_back(
          fmt::format("Hatched: in doubt; another is faster with a probability of more than 5 %{}.",
                      has_error ? ", by the error that the model has where it was measured" : ""));
    }
    if (!has_error) notes.push_back("If the model holds: its error was not measured.");
    if (any("pale")) notes.push_back("Beyond what the machine was fitted to: pale.");
    return notes;
  }

  const tuner::ForecastQuestion& question_;
  const sim::MachineDescription& machine_;
  std::string_view baseline_;
  std::set<int> procs_{};
  std::set<std::int64_t> sizes_{};
  std::map<std::pair<int, std::int64_t>, const tuner::ForecastCell*> cells_{};
  std::set<Look> looks_{};
};

}  // namespace

std::string predicted_map_json(const tuner::ForecastQuestion& question,
                               const sim::MachineDescription& machine,
                               std::span<const tuner::ForecastCell> cells,
                               std::string_view baseline) {
  return PredictedMap{question, machine, cells, baseline}.json().dump();
}

}  // namespace breakeven::report
