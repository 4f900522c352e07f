// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/by_procs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tuner/equal_names.hpp"

namespace breakeven::tuner {

namespace {

/// The decisions of one layout, the smaller size first.
using Sizes = std::vector<const Decision*>;
using Place = std::tuple<Collective, CallForm, Mapping, int>;  // with p

/// The time by a layout's choices at the sizes of another layout, against that by its own choices.
struct Excess {
  double log_sum = 0;
  double log_worst = 0;
  int sizes = 0;
  int unknown = 0;  ///< sizes at which the choice was not measured

  void add(double log_ratio) {
    log_sum += log_ratio;
    log_worst = std::max(log_worst, log_ratio);
    ++sizes;
  }
  [[nodiscard]] double mean() const { return sizes == 0 ? 1 : std::exp(log_sum / sizes); }
};

const Case& choice_at(const Sizes& sizes, Bytes message) {
  const auto above = std::ranges::upper_bound(
      sizes, message, {}, [](const Decision* each) { return each->problem.message; });
  return (above == sizes.begin() ? sizes.front() : *std::prev(above))->choice().times.what;
}

Excess excess_of(const Sizes& choices, const Sizes& there) {
  Excess cost;
  EqualNames equals;
  for (const Decision* each : there) {
    const Case wanted =
        with_variant(each->problem, choice_at(choices, each->problem.message).variant);
    double worst = 0;
    bool known = true;
    for (const Contest& contest : each->contests) {
      const Candidate* const candidate = equals.find(contest, wanted);
      const Candidate* const own = contest.find(each->choice().times.what);
      known = known && candidate != nullptr && own != nullptr;
      if (known)
        worst = std::max(worst,
                         std::log((1 + contest.regret(*candidate)) / (1 + contest.regret(*own))));
    }
    if (known) {
      cost.add(worst);
    } else {
      ++cost.unknown;
    }
  }
  return cost;
}

std::string line_of(const Case& kept, const Case& other, const Excess& cost) {
  std::string text = fmt::format(
      "{} at p = {}: the choices are for {}; on {} they take {:.2f} times as long as its own, "
      "{:.2f} "
      "times at worst",
      call_name(kept.collective, kept.form), kept.procs, to_text(layout_of(kept)),
      to_text(layout_of(other)), cost.mean(), std::exp(cost.log_worst));
  if (cost.unknown > 0) text += fmt::format("; not known at {} sizes", cost.unknown);
  return text;
}

/// The layout whose choices cost the others least; the first of equals.
const Sizes& cheapest(const std::map<NodeLayout, Sizes>& layouts) {
  const auto total = [&](const auto& entry) {
    Excess sum;
    for (const auto& [layout, there] : layouts) {
      const Excess cost = excess_of(entry.second, there);
      sum.unknown += cost.unknown;
      sum.log_sum += cost.log_sum;
    }
    return std::pair{sum.unknown, sum.log_sum};
  };
  return std::ranges::min_element(layouts, {}, total)->second;
}

}  // namespace

std::vector<Decision> of_one_mapping(std::vector<Decision> decisions) {
  const auto alike = [](const Decision& each) {
    return mapped_alike(each.problem.procs, each.problem.nodes);
  };
  std::set<Mapping> mappings;
  for (const Decision& each : decisions) {
    if (!alike(each)) mappings.insert(each.problem.mapping);
  }
  if (mappings.size() != 1) return decisions;
  for (Decision& each : decisions) {
    if (!alike(each)) continue;
    each.problem.mapping = *mappings.begin();
    for (Contest& contest : each.contests) {
      contest.problem.mapping = *mappings.begin();
      for (Candidate& candidate : contest.candidates)
        candidate.times.what.mapping = *mappings.begin();
    }
  }
  return decisions;
}

ByProcs by_procs(std::span<const Decision> decisions) {
  std::map<Place, std::map<NodeLayout, Sizes>> places;
  for (const Decision& each : decisions) {
    const Case& what = each.problem;
    places[{what.collective, what.form, what.mapping, what.procs}][layout_of(what)].push_back(
        &each);
  }
  ByProcs found;
  for (auto& [place, layouts] : places) {
    const auto crowded = [](const auto& each) { return each.second.front()->oversubscribed; };
    if (!std::ranges::all_of(layouts, crowded)) std::erase_if(layouts, crowded);
    const Sizes& kept = layouts.size() == 1 ? layouts.begin()->second : cheapest(layouts);
    for (const Decision* each : kept) found.decisions.push_back(*each);
    for (const auto& [layout, there] : layouts) {
      if (&there == &kept) continue;
      found.lost.push_back(
          line_of(kept.front()->problem, there.front()->problem, excess_of(kept, there)));
    }
  }
  return found;
}

}  // namespace breakeven::tuner
