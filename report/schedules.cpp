// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/exchange.hpp"
#include "kernels/timeline.hpp"
#include "report/data.hpp"

namespace breakeven::report {

namespace {

constexpr std::size_t kMostBytes = 1'500'000;  // of all schedules of a page

/// Ranks that send alike: the distance to the receiver, and the blocks, counted from their own
/// share.
using Alike = std::pair<int, std::vector<std::pair<int, int>>>;
/// The messages of each step, by the ranks that send them.
using Steps = std::vector<std::map<Alike, std::vector<int>>>;

Json json_of(const Steps& steps, int procs) {
  Json all = Json::array();
  for (const auto& step : steps) {
    Json sendings = Json::array();
    for (const auto& [alike, ranks] : step) {
      const bool by_all = static_cast<int>(ranks.size()) == procs;
      sendings.push_back({alike.first, alike.second, by_all ? Json(0) : Json(ranks)});
    }
    all.push_back(std::move(sendings));
  }
  return all;
}

Json json_of(const kernels::Exchange& exchange) {
  const int p = exchange.procs;
  const int blocks = std::max(1, exchange.blocks);
  const int share = blocks % p == 0 ? blocks / p : 0;
  const std::vector<double> one(exchange.transfers.size(), 1);
  const kernels::Timeline drawn = kernels::timeline(exchange, one);
  Steps steps;
  const auto step_of = [&](int message) {
    return static_cast<std::size_t>(drawn.begins[static_cast<std::size_t>(message)]);
  };
  for (std::size_t i = 0; i < exchange.transfers.size(); ++i) {
    const kernels::Transfer& each = exchange.transfers[i];
    Alike alike{(each.to - each.source + p) % p, {}};
    for (const auto& [first, count] : exchange.blocks_of(each.carried)) {
      if (count == 0) continue;
      const int ahead = (first - each.source * share % blocks + blocks) % blocks;
      alike.second.emplace_back(ahead, count);
    }
    const std::size_t step = step_of(static_cast<int>(i));
    if (steps.size() <= step) steps.resize(step + 1);
    steps[step][alike].push_back(each.source);
  }
  std::vector<std::set<int>> reduces(steps.size());
  for (const kernels::RankRound& round : exchange.rounds) {
    if (round.reduced == 0 || round.sends + round.receives == 0) continue;
    std::size_t last = 0;
    for (const int message : exchange.sent_in(round)) last = std::max(last, step_of(message));
    for (const int message : exchange.received_in(round)) last = std::max(last, step_of(message));
    reduces[last].insert(round.rank);
  }
  return {{"blocks", exchange.blocks}, {"steps", json_of(steps, p)}, {"reduces", reduces}};
}

}  // namespace

int Schedules::of(const Case& what) {
  const Case key = kernels::without_data(what);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  int& number = known_.emplace(key, -1).first->second;
  const kernels::Algorithm* const algorithm = kernels::known_algorithm(what);
  if (algorithm == nullptr || what.procs > kMostProcs || what.procs < 2) return number;
  const kernels::Problem problem = kernels::problem_of(what);
  Json json = json_of(kernels::exchange_of(*algorithm, problem));
  const std::size_t bytes = json.dump().size();
  if (bytes_ + bytes > kMostBytes) return number;
  bytes_ += bytes;
  number = static_cast<int>(all_.size());
  all_.push_back(std::move(json));
  return number;
}

}  // namespace breakeven::report
