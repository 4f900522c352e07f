// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "core/json.hpp"
#include "report/plots.hpp"
#include "report/words.hpp"
#include "stats/median.hpp"
#include "stats/quantile.hpp"

namespace breakeven::report {

namespace {

/// The most samples that are listed beyond a whisker, evenly chosen, the extremes among them.
constexpr std::size_t kMostListed = 200;
constexpr double kWhisker = 1.5;  // interquartile ranges [tukey1977]

struct Pooled {
  std::vector<double> values{};
  std::vector<double> launch_medians{};
};

/// p, or the size of a block; nodes and processes per node where p is the place.
using Place = std::tuple<int, int, int>;
using Boxes = std::map<Place, Pooled>;

/// Means of blocks of consecutive samples; an incomplete block at the end is left out.
std::vector<double> means_of(std::span<const double> samples, std::size_t block) {
  std::vector<double> means;
  for (; samples.size() >= block; samples = samples.subspan(block)) {
    const auto here = samples.first(block);
    means.push_back(std::accumulate(here.begin(), here.end(), 0.0) / static_cast<double>(block));
  }
  return means;
}

Json thinned(std::span<const double> sorted) {
  if (sorted.size() <= kMostListed) return sorted;
  Json listed = Json::array();
  for (std::size_t i = 0; i < kMostListed; ++i) {
    listed.push_back(sorted[i * (sorted.size() - 1) / (kMostListed - 1)]);
  }
  return listed;
}

Json box_of(Pooled pooled) {
  std::vector<double>& values = pooled.values;
  std::ranges::sort(values);
  const double low = stats::quantile_of_sorted(values, 0.25);
  const double high = stats::quantile_of_sorted(values, 0.75);
  const double reach = kWhisker * (high - low);
  const auto first = std::ranges::lower_bound(values, low - reach);
  const auto last = std::ranges::upper_bound(values, high + reach) - 1;
  const stats::Estimate median = stats::estimate_median(pooled.launch_medians);
  return {{"samples", values.size()},
          {"launches", median.count},
          {"whisker_low", *first},
          {"quartile_low", low},
          {"median", stats::quantile_of_sorted(values, 0.5)},
          {"quartile_high", high},
          {"whisker_high", *last},
          {"median_low", median.low},
          {"median_high", median.high},
          {"below", thinned({values.begin(), first})},
          {"above", thinned({last + 1, values.end()})}};
}

/// "4"; "4 (2×2)" where p has several layouts.
std::string place_text(const Place& place, const std::set<Place>& places) {
  const auto& [at, nodes, procs_per_node] = place;
  const auto alike = [at](const Place& each) { return std::get<0>(each) == at; };
  if (std::ranges::count_if(places, alike) == 1) return std::to_string(at);
  return fmt::format("{} ({}×{})", at, nodes, procs_per_node);
}

}  // namespace

std::string spread_json(const Machine& machine, std::span<const LaunchSamples> launches,
                        std::span<const int> blocks) {
  std::map<Case, std::map<std::string, Boxes>> panels;  // by problem, and by candidate
  constexpr int kSingle[] = {1};
  for (const LaunchSamples& each : launches) {
    Case problem = without_algorithm(each.what);
    const Place layout{problem.procs, problem.nodes, problem.procs_per_node};
    if (blocks.empty()) problem.procs = problem.nodes = problem.procs_per_node = 0;
    for (const int block : blocks.empty() ? std::span<const int>{kSingle} : blocks) {
      const std::vector<double> means = means_of(each.seconds, static_cast<std::size_t>(block));
      if (means.empty()) continue;
      Pooled& pooled = panels[problem][display_name(to_text(each.what.variant))]
                             [blocks.empty() ? layout : Place{block, 0, 0}];
      pooled.values.insert(pooled.values.end(), means.begin(), means.end());
      pooled.launch_medians.push_back(stats::median(means));
    }
  }
  Json json{{"machine", json_of(machine)},
            {"by", blocks.empty() ? "procs" : "block"},
            {"panels", Json::array()}};
  const TitleParts said = title_parts(panels);
  for (auto& [problem, candidates] : panels) {
    std::set<Place> places;
    for (const auto& [name, boxes] : candidates) {
      for (const auto& [place, pooled] : boxes) places.insert(place);
    }
    Json texts = Json::array();
    for (const Place& each : places) texts.push_back(place_text(each, places));
    Json all = Json::array();
    for (auto& [name, boxes] : candidates) {
      for (auto& [place, pooled] : boxes) {
        Json box{{"at", place_text(place, places)}, {"name", name}};
        box.update(box_of(std::move(pooled)));
        all.push_back(std::move(box));
      }
    }
    json["panels"].push_back({{"title", problem_title(problem, said)},
                              {"places", std::move(texts)},
                              {"boxes", std::move(all)}});
  }
  return json.dump();
}

}  // namespace breakeven::report
