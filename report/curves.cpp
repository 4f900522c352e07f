// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "core/error.hpp"
#include "core/json.hpp"
#include "report/plots.hpp"
#include "report/words.hpp"
#include "stats/median.hpp"
#include "tuner/contest.hpp"

namespace breakeven::report {

namespace {

/// A case as it was measured.
struct Measured {
  const tuner::Contest* contest = nullptr;
  const tuner::Candidate* candidate = nullptr;
  std::map<int, double> log_seconds{};  ///< by repeat
};

/// The logarithms of a value and of the ends of its interval; `count` of launches.
using Value = stats::Estimate;

/// A point of a line: its values by message size.
struct Point {
  std::map<Bytes, Value> values{};
  bool oversubscribed = false;
};

/// Its collective, where curves of several are together, variant and mapping.
using CurveKey = std::tuple<std::optional<Collective>, std::string, Mapping>;
using Curve = std::map<std::int64_t, Point>;
using Panel = std::map<CurveKey, Curve>;

Value time_of(const Measured& measured) {
  const tuner::AdjustedTime time = measured.contest->time_of(*measured.candidate);
  const auto log_of = [](Seconds value) { return std::log(value.value); };
  return {.median = log_of(time.time),
          .low = log_of(time.low.value_or(time.time)),
          .high = log_of(time.high.value_or(time.time)),
          .count = static_cast<int>(measured.candidate->times.by_launch.size())};
}

/// log(above / below); nothing where they have no launch in common.
std::optional<Value> ratio_of(const Measured& above, const Measured& below) {
  const auto launches = static_cast<int>(above.log_seconds.size());
  if (above.candidate == below.candidate) return Value{.count = launches};
  if (above.contest == below.contest) {
    const stats::Belief log_ratio = above.candidate->log_time - below.candidate->log_time;
    const double half = above.contest->noise_known ? stats::kDeviations * log_ratio.deviation() : 0;
    return Value{.median = log_ratio.mean,
                 .low = log_ratio.mean - half,
                 .high = log_ratio.mean + half,
                 .count = launches};
  }
  std::vector<double> ratios;
  for (const auto& [repeat, seconds] : above.log_seconds) {
    const auto other = below.log_seconds.find(repeat);
    if (other != below.log_seconds.end()) ratios.push_back(seconds - other->second);
  }
  if (ratios.empty()) return std::nullopt;
  return stats::estimate_median(ratios);
}

/// A candidate; of a collective where curves of several are together: "library's allreduce",
/// "allreduce as reduce+bcast".
std::string in_words(std::optional<Collective> collective, std::string_view variant) {
  if (!collective) return display_name(variant);
  const std::string_view name = kCollectives.of(*collective);
  const Variant by = Variant::parse(variant);
  if (by.is<Native>()) return fmt::format("library's {}", name);
  if (const Composed* mock_up = by.mock_up()) return fmt::format("{} as {}", name, mock_up->terms);
  return fmt::format("{} {}", name, display_name(variant));
}

class Curves {
 public:
  Curves(std::span<const Measurement> measurements, const CurveRequest& request)
      : request_{request},
        is_ratio_{request.quantity == Quantity::speedup ||
                  request.quantity == Quantity::relative_time},
        together_{is_ratio_ && request.baseline.find('/') != std::string::npos},
        contests_{tuner::contests_of(measurements)} {
    for (const auto& [problem, by_counts] : contests_) {
      for (const auto& [counts, contest] : by_counts) {
        for (const tuner::Candidate& each : contest.candidates)
          cases_[each.times.what] = {.contest = &contest, .candidate = &each};
      }
    }
    for (const Measurement& each : measurements) {
      // A model may need no time, for one process.
      cases_.at(each.what).log_seconds[each.repeat] = std::log(std::max(each.median.value, 1e-12));
    }
    several_layouts_ = has_several_layouts();
    if (is_ratio_) find_baselines();
    for (const auto& [what, measured] : cases_) add(what, measured);
    if (is_ratio_ && request.by != Axis::message_bytes) keep_common_sizes();
  }

  [[nodiscard]] Json json(const Machine& machine) const {
    std::set<CurveKey> keys;
    for (const auto& [problem, lines] : panels_) {
      for (const auto& [key, line] : lines) keys.insert(key);
    }
    if (keys.empty()) {
      throw UsageError(fmt::format("nothing was measured together with {} on {}", quoted_baseline(),
                                   machine.name));
    }
    std::set<Mapping> mappings;
    for (const CurveKey& key : keys) mappings.insert(std::get<Mapping>(key));
    const auto name_of = [&](const CurveKey& key) {
      const auto& [collective, variant, mapping] = key;
      std::string name = in_words(collective, variant);
      if (mappings.size() > 1) name += fmt::format(" {}", to_text(mapping));
      return name;
    };
    Json json{{"title", title()},
              {"machine", json_of(machine)},
              {"by", kAxes.of(request_.by)},
              {"quantity", kQuantities.of(request_.quantity)},
              {"near_best", tuner::kNearBest}};
    for (const CurveKey& key : keys) json["names"].push_back(name_of(key));
    const TitleParts said = title_parts(panels_, !together_);
    for (const auto& [problem, lines] : panels_) {
      json["panels"].push_back(panel_json(problem, lines, said, name_of));
    }
    return json;
  }

 private:
  /// Whether one p has several layouts.
  [[nodiscard]] bool has_several_layouts() const {
    std::map<int, std::pair<int, int>> layouts;
    return std::ranges::any_of(cases_, [&](const auto& each) {
      const Case& what = each.first;
      const std::pair layout{what.nodes, what.procs_per_node};
      return layouts.emplace(what.procs, layout).first->second != layout;
    });
  }

  /// The members that a baseline and its counterparts have in common.
  [[nodiscard]] Case match(Case what) const {
    what = without_algorithm(what);
    if (together_) what = whole(what);
    if (request_.baseline_mapping) what.mapping = {};
    return what;
  }

  /// The same vector in any collective.
  static Case whole(const Case& what) {
    return {.procs = what.procs,
            .nodes = what.nodes,
            .procs_per_node = what.procs_per_node,
            .mapping = what.mapping,
            .comms_per_node = what.comms_per_node,
            .message = total_bytes(what),
            .datatype = what.datatype};
  }

  void find_baselines() {
    for (const auto& [what, measured] : cases_) {
      const std::string name = together_ ? algorithm_text(what) : to_text(what.variant);
      if (name != request_.baseline) continue;
      if (request_.baseline_mapping && what.mapping != *request_.baseline_mapping) continue;
      baselines_[match(what)] = &measured;
    }
    if (baselines_.empty()) {
      throw UsageError(fmt::format("no measurements of {} to compare with", quoted_baseline()));
    }
  }

  [[nodiscard]] std::string quoted_baseline() const {
    return fmt::format("'{}'{}", request_.baseline,
                       request_.baseline_mapping
                           ? fmt::format(" with mapping {}", to_text(*request_.baseline_mapping))
                           : "");
  }

  [[nodiscard]] std::int64_t place(const Case& what) const {
    if (request_.by == Axis::procs) return what.procs;
    if (request_.by == Axis::procs_per_node) return what.procs_per_node;
    return (together_ ? total_bytes(what) : what.message).value;
  }

  [[nodiscard]] Case panel_of(const Case& what) const {
    Case panel = without_algorithm(what);
    panel.mapping = {};
    if (together_) panel = whole(panel);
    if (request_.by == Axis::message_bytes || is_ratio_) panel.message = {};
    if (request_.by != Axis::message_bytes) panel.procs = 0;
    if (request_.by == Axis::procs) panel.nodes = 0;
    const bool keeps_density =
        request_.by == Axis::message_bytes || (request_.by == Axis::procs && several_layouts_);
    if (!keeps_density) panel.procs_per_node = 0;
    return panel;
  }

  /// Nothing where there is no baseline for it.
  [[nodiscard]] std::optional<Value> value_of(const Case& what, const Measured& measured) const {
    const Value time = time_of(measured);
    if (request_.quantity == Quantity::time) return time;
    if (request_.quantity == Quantity::bandwidth) {
      const double size = std::log(static_cast<double>(what.message.value));
      return Value{.median = size - time.median,
                   .low = size - time.high,
                   .high = size - time.low,
                   .count = time.count};
    }
    const auto baseline = baselines_.find(match(what));
    if (baseline == baselines_.end()) return std::nullopt;
    return request_.quantity == Quantity::speedup ? ratio_of(*baseline->second, measured)
                                                  : ratio_of(measured, *baseline->second);
  }

  void add(const Case& what, const Measured& measured) {
    const std::optional<Value> value = value_of(what, measured);
    if (!value) return;
    const CurveKey key{together_ ? std::optional{what.collective} : std::nullopt,
                       to_text(what.variant), what.mapping};
    Point& point = panels_[panel_of(what)][key][place(what)];
    if (!point.values.emplace(together_ ? total_bytes(what) : what.message, *value).second) {
      throw UsageError(
          fmt::format("{} was measured with several operations or roots; curves of '{}' "
                      "have room for one",
                      algorithm_text(what), request_.baseline));
    }
    point.oversubscribed |= measured.candidate->times.oversubscribed;
  }

  void keep_common_sizes() {
    for (auto& [problem, lines] : panels_) {
      std::size_t points = 0;
      std::map<Bytes, std::size_t> often;
      for (const auto& [key, line] : lines) {
        points += line.size();
        for (const auto& [at, point] : line) {
          for (const auto& [size, value] : point.values) ++often[size];
        }
      }
      for (auto& [key, line] : lines) {
        for (auto& [at, point] : line) {
          std::erase_if(point.values, [&](const auto& each) { return often[each.first] < points; });
        }
      }
    }
    std::erase_if(panels_, [](const auto& panel) {
      return panel.second.begin()->second.begin()->second.values.empty();
    });
  }

  static Json point_json(std::int64_t at, const Point& point) {
    const auto mean = [&](double Value::* member) {
      double logs = 0;
      for (const auto& [size, value] : point.values) logs += value.*member;
      return std::exp(logs / static_cast<double>(point.values.size()));
    };
    const auto launches = [](const auto& each) { return each.second.count; };
    return {{"at", at},
            {"value", mean(&Value::median)},
            {"low", mean(&Value::low)},
            {"high", mean(&Value::high)},
            {"launches", launches(*std::ranges::min_element(point.values, {}, launches))},
            {"oversubscribed", point.oversubscribed}};
  }

  [[nodiscard]] std::string title() const {
    if (request_.quantity == Quantity::time) return "Time";
    if (request_.quantity == Quantity::bandwidth) return "Bandwidth: message / time";
    const Case& what = baselines_.begin()->second->candidate->times.what;
    std::string baseline = together_ ? in_words(what.collective, to_text(what.variant))
                                     : display_name(request_.baseline);
    if (request_.baseline_mapping)
      baseline += fmt::format(" {}", to_text(*request_.baseline_mapping));
    if (request_.quantity == Quantity::relative_time) {
      return fmt::format("Time / time of {}: above 1 slower", baseline);
    }
    return fmt::format("Time of {} / that of each: above 1 faster", baseline);
  }

  [[nodiscard]] std::string axis_text(const Case& problem) const {
    if (request_.by == Axis::procs) return "processes";
    if (request_.by == Axis::procs_per_node) return "processes on a node";
    return fmt::format("message: {}",
                       together_ ? "whole vector" : counted_text(problem.collective));
  }

  [[nodiscard]] Json panel_json(const Case& problem, const Panel& lines, const TitleParts& said,
                                const auto& name_of) const {
    std::set<Bytes> sizes;
    Json all = Json::array();
    for (const auto& [key, line] : lines) {
      Json points = Json::array();
      for (const auto& [at, point] : line) {
        points.push_back(point_json(at, point));
        for (const auto& [size, value] : point.values) sizes.insert(size);
      }
      all.push_back({{"name", name_of(key)}, {"points", std::move(points)}});
    }
    Case shown = problem;
    shown.message = sizes.size() == 1 ? *sizes.begin() : Bytes{};
    return {{"title", problem_title(shown, said)},
            {"axis", axis_text(problem)},
            {"least_bytes", sizes.begin()->value},
            {"most_bytes", sizes.rbegin()->value},
            {"lines", std::move(all)}};
  }

  const CurveRequest& request_;
  bool is_ratio_;
  bool together_;
  bool several_layouts_ = false;  // then processes per node tell panels apart
  tuner::Contests contests_;
  std::map<Case, Measured> cases_{};
  std::map<Case, const Measured*> baselines_{};
  std::map<Case, Panel> panels_{};
};

}  // namespace

std::string curves_json(const Machine& machine, std::span<const Measurement> measurements,
                        const CurveRequest& request) {
  return Curves{measurements, request}.json(machine).dump();
}

}  // namespace breakeven::report
