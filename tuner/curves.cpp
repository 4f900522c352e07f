// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <vector>

#include "core/error.hpp"
#include "stats/median.hpp"
#include "tuner/machine_json.hpp"

namespace breakeven::tuner {

namespace {

using Json = nlohmann::ordered_json;

/// Of one case, by repeat.
struct Times {
  Case what{};
  std::map<int, double> seconds{};
  bool oversubscribed = false;
};

/// What is drawn at one place of a line: by repeat and message size.
struct Point {
  std::map<int, std::map<Bytes, double>> values{};
  bool oversubscribed = false;
};

using CurveKey = std::tuple<Collective, std::string, std::string, Mapping>;
using Curve = std::map<std::int64_t, Point>;
using Panel = std::map<CurveKey, Curve>;

std::map<Case, Times> by_case(std::span<const Measurement> measurements) {
  std::map<Case, Times> all;
  for (const Measurement& each : measurements) {
    Times& times = all[each.what];
    times.what = each.what;
    times.seconds[each.repeat] = each.median.value;
    times.oversubscribed |= each.oversubscribed;
  }
  return all;
}

class Curves {
 public:
  Curves(std::span<const Measurement> measurements, const CurveRequest& request)
      : request_{request},
        is_ratio_{request.quantity == Quantity::ratio},
        together_{is_ratio_ && request.baseline.find('/') != std::string::npos},
        times_{by_case(measurements)} {
    find_ambiguous();
    if (is_ratio_) find_baselines();
    for (const auto& [what, times] : times_) add(times);
    if (is_ratio_ && request.by != Axis::message_bytes) keep_common_sizes();
  }

  [[nodiscard]] Json panels() const {
    Json all = Json::array();
    for (const auto& [problem, lines] : panels_) all.push_back(json_of(problem, lines));
    return all;
  }

 private:
  /// Where one p has several layouts, processes per node tell panels apart.
  void find_ambiguous() {
    std::map<int, std::set<std::pair<int, int>>> layouts;
    for (const auto& [what, times] : times_) {
      layouts[what.procs].insert({what.nodes, what.procs_per_node});
    }
    several_layouts_ =
        std::ranges::any_of(layouts, [](const auto& p) { return p.second.size() > 1; });
  }

  /// What a baseline has in common with its dividends.
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
            .message = total_bytes(what),
            .datatype = what.datatype};
  }

  void find_baselines() {
    for (const auto& [what, times] : times_) {
      const std::string name = together_ ? algorithm_text(what) : variant_text(what);
      if (name != request_.baseline) continue;
      if (request_.baseline_mapping && what.mapping != *request_.baseline_mapping) continue;
      baselines_[match(what)] = &times;
    }
    if (baselines_.empty()) {
      throw UsageError(
          fmt::format("no measurements of '{}'{} to divide by", request_.baseline,
                      request_.baseline_mapping
                          ? fmt::format(" with mapping {}", to_text(*request_.baseline_mapping))
                          : ""));
    }
  }

  [[nodiscard]] std::int64_t place(const Case& what) const {
    switch (request_.by) {
      case Axis::message_bytes: return together_ ? total_bytes(what).value : what.message.value;
      case Axis::procs: return what.procs;
      case Axis::procs_per_node: return what.procs_per_node;
    }
    throw Error("no such axis");
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

  void add(const Times& times) {
    const Case& what = times.what;
    std::map<int, double> values = times.seconds;
    if (request_.quantity == Quantity::bandwidth) {
      for (auto& [repeat, value] : values) value = static_cast<double>(what.message.value) / value;
    } else if (is_ratio_) {
      const auto baseline = baselines_.find(match(what));
      if (baseline == baselines_.end()) return;
      const std::map<int, double>& below = baseline->second->seconds;
      std::erase_if(values, [&](const auto& each) { return !below.contains(each.first); });
      for (auto& [repeat, value] : values) value /= below.at(repeat);
    }
    if (values.empty()) return;
    const CurveKey key{together_ ? what.collective : Collective{}, what.algorithm, what.params,
                       what.mapping};
    Point& point = panels_[panel_of(what)][key][place(what)];
    const Bytes size = together_ ? total_bytes(what) : what.message;
    for (const auto& [repeat, value] : values) {
      if (point.values[repeat].emplace(size, value).second) continue;
      throw UsageError(
          fmt::format("{} was measured with several operations or roots; curves of '{}' "
                      "have room for one",
                      algorithm_text(what), request_.baseline));
    }
    point.oversubscribed |= times.oversubscribed;
  }

  void keep_common_sizes() {
    for (auto& [problem, lines] : panels_) {
      std::optional<std::set<Bytes>> common;
      for (const auto& [key, line] : lines) {
        for (const auto& [at, point] : line) {
          for (const auto& [repeat, sizes] : point.values) {
            std::set<Bytes> here;
            for (const auto& [size, value] : sizes) {
              if (!common || common->contains(size)) here.insert(size);
            }
            common = std::move(here);
          }
        }
      }
      for (auto& [key, line] : lines) {
        for (auto& [at, point] : line) {
          for (auto& [repeat, sizes] : point.values) {
            std::erase_if(sizes, [&](const auto& each) { return !common->contains(each.first); });
          }
        }
      }
    }
    std::erase_if(panels_, [](const auto& panel) {
      return panel.second.begin()->second.begin()->second.values.begin()->second.empty();
    });
  }

  static Json json_of(std::int64_t at, const Point& point) {
    std::vector<double> values;
    for (const auto& [repeat, sizes] : point.values) {
      double logs = 0;
      for (const auto& [size, value] : sizes) logs += std::log(value);
      values.push_back(sizes.size() == 1 ? sizes.begin()->second
                                         : std::exp(logs / static_cast<double>(sizes.size())));
    }
    const stats::Estimate estimate = stats::estimate_median(values);
    return {{"at", at},
            {"value", estimate.median},
            {"low", estimate.low},
            {"high", estimate.high},
            {"launches", estimate.count},
            {"oversubscribed", point.oversubscribed}};
  }

  [[nodiscard]] Json json_of(const Case& problem, const Panel& lines) const {
    const auto shown = [](bool is_known, const auto& value) {
      return is_known ? Json(value) : Json{};
    };
    std::set<Bytes> sizes;
    Json all = Json::array();
    for (const auto& [key, line] : lines) {
      const auto& [collective, algorithm, params, mapping] = key;
      Json points = Json::array();
      for (const auto& [at, point] : line) {
        points.push_back(json_of(at, point));
        for (const auto& [size, value] : point.values.begin()->second) sizes.insert(size);
      }
      all.push_back({{"collective", shown(together_, kCollectives.of(collective))},
                     {"algorithm", algorithm},
                     {"params", params},
                     {"mapping", to_text(mapping)},
                     {"points", points}});
    }
    return {{"collective", shown(!together_, kCollectives.of(problem.collective))},
            {"datatype", kDatatypes.of(problem.datatype)},
            {"op", shown(!together_, kOps.of(problem.op))},
            {"root", problem.root.value},
            {"counts", kCounts.of(problem.counts)},
            {"procs", shown(problem.procs != 0, problem.procs)},
            {"nodes", shown(problem.nodes != 0, problem.nodes)},
            {"procs_per_node", shown(problem.procs_per_node != 0, problem.procs_per_node)},
            {"least_bytes", sizes.begin()->value},
            {"most_bytes", sizes.rbegin()->value},
            {"lines", all}};
  }

  const CurveRequest& request_;
  bool is_ratio_;
  bool together_;
  bool several_layouts_ = false;
  std::map<Case, Times> times_;
  std::map<Case, const Times*> baselines_{};
  std::map<Case, Panel> panels_{};
};

}  // namespace

std::string curves_json(const Machine& machine, std::span<const Measurement> measurements,
                        const CurveRequest& request) {
  const Json json{
      {"machine", machine_json(machine)},
      {"by", kAxes.of(request.by)},
      {"quantity", kQuantities.of(request.quantity)},
      {"baseline", request.baseline},
      {"baseline_mapping", request.baseline_mapping ? to_text(*request.baseline_mapping) : ""},
      {"panels", Curves{measurements, request}.panels()}};
  return json.dump();
}

}  // namespace breakeven::tuner
