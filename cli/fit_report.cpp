// SPDX-License-Identifier: BSD-3-Clause
#include "cli/fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/show.hpp"
#include "kernels/pattern.hpp"
#include "stats/belief.hpp"
#include "stats/median.hpp"
#include "stats/quantile.hpp"

namespace breakeven::cli {

namespace {

std::string percent(const std::vector<double>& differences) {
  std::vector<double> absolute;
  for (const double each : differences) absolute.push_back(std::abs(each));
  return fmt::format("{:.1f} %", 100 * stats::median(absolute));
}

std::string to_text(double value, std::string_view unit) {
  if (unit == sim::kSeconds) return breakeven::to_text(Seconds{value});
  if (unit == sim::kPerByte) return fmt::format("{:.3g} ns/B", value * 1e9);
  return fmt::format("{:.4g}", value);
}

std::string range_text(const std::vector<sim::Range>& ranges, std::size_t index) {
  const auto end = [](const sim::Range& range) {
    return breakeven::to_text(Bytes{static_cast<std::int64_t>(range.up_to_bytes)});
  };
  if (ranges.size() == 1) return "all";
  if (index + 1 == ranges.size()) return "over " + end(ranges[index - 1]);
  return "up to " + end(ranges[index]);
}

}  // namespace

std::string models_table(std::span<const sim::Observed> observed,
                         const std::map<std::string_view, sim::FittedModel>& models) {
  std::vector<std::string> names;  // of the pattern of each difference
  std::vector<std::string> patterns;
  for (const sim::Observed& each : observed) {
    if (!kernels::is_pattern(each.what.variant)) continue;
    names.push_back(each.what.variant.algorithm());
    if (std::ranges::find(patterns, names.back()) == patterns.end())
      patterns.push_back(names.back());
  }
  std::vector<std::pair<double, Cells>> rows;
  for (const auto& [name, model] : models) {
    Cells cells{std::string{name}, percent(model.differences)};
    for (const std::string& pattern : patterns) {
      std::vector<double> differences;
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == pattern) differences.push_back(model.differences[i]);
      }
      cells.push_back(percent(differences));
    }
    rows.emplace_back(model.median_difference(), std::move(cells));
  }
  std::ranges::stable_sort(rows, {}, &std::pair<double, Cells>::first);
  Cells columns{"model", "all patterns"};
  columns.insert(columns.end(), patterns.begin(), patterns.end());
  std::vector<Cells> table;
  for (auto& [difference, cells] : rows) table.push_back(std::move(cells));
  return to_table(columns, table);
}

std::string parameters_table(const sim::FittedMachine& fitted) {
  const std::vector<sim::Range>& ranges = fitted.machine.ranges;
  std::vector<Cells> rows;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::vector<sim::ModelKey> keys = sim::keys_of(ranges[i].parameters);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (keys[k].may_be_left_out) continue;
      Cells cells{range_text(ranges, i), std::string{keys[k].key},
                  to_text(keys[k].value, keys[k].unit), ""};
      std::vector<double> values;
      for (const sim::Machine& each : fitted.replicates) {
        values.push_back(sim::keys_of(each.ranges[i].parameters)[k].value);
      }
      std::ranges::sort(values);
      if (!values.empty() && values.front() != values.back()) {
        const auto bound = [&](double fraction) {
          return to_text(stats::quantile_of_sorted(values, fraction), keys[k].unit);
        };
        cells.back() = fmt::format("{} to {}", bound(0.025), bound(0.975));
      }
      rows.push_back(std::move(cells));
    }
  }
  return to_table({"messages", "parameter", "value", "95 % interval"}, rows);
}

std::string errors_table(const sim::ModelErrors& errors) {
  std::vector<Cells> rows;
  for (const auto& [name, error] : errors) {
    if (name.find('/') != std::string::npos) continue;
    const auto factor = [](double deviation) {
      return fmt::format("{:.2f}", std::exp(stats::kDeviations * deviation));
    };
    rows.push_back({name.empty() ? "any other" : name, fmt::to_string(error.cases),
                    factor(error.deviation()), factor(std::sqrt(2) * error.own)});
  }
  return to_table(
      {"predictions of", "cases", "times within a factor of", "ratios of two algorithms"}, rows);
}

std::string algorithms_table(std::span<const sim::FittedAlgorithm> algorithms) {
  std::vector<Cells> rows;
  for (const sim::FittedAlgorithm& each : algorithms) {
    rows.push_back({algorithm_text(each.what), fmt::format("{:.1f} %", 100 * each.difference),
                    each.has_own ? fmt::format("{:.1f} %", 100 * each.held_out) : "no better"});
  }
  return to_table({"algorithm", "difference", "with its own parameters"}, rows);
}

}  // namespace breakeven::cli
