// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <random>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/pattern.hpp"
#include "sim/fit_parts.hpp"
#include "sim/least_squares.hpp"
#include "stats/median.hpp"

namespace breakeven::sim {

namespace {

constexpr std::string_view kPingPong = "ping_pong";
constexpr std::string_view kReduction = "reduction";
constexpr std::string_view kGamma = "gamma";
constexpr std::string_view kTimes = "times";
constexpr double kLeastPerByte = 1e-13;  // where reductions are free

int times_of(const Case& what) {
  return kernels::Params::parse(what.variant.params()).find_number(kTimes, 1).value_or(1);
}

double size_of(const Case& what) { return static_cast<double>(what.message.value); }

/// With other repetitions.
Case repeated(Case what, int times) {
  kernels::Params params = kernels::Params::parse(what.variant.params());
  params.take(kTimes);
  what.variant = what.variant.with_params(
      fmt::format("{}{}times={}", params.text(), params.empty() ? "" : ",", times));
  return what;
}

/// Two numbers of repetitions tell the time of any: the rounds between them repeat.
constexpr int kFew = 2;
constexpr int kMore = 4;

/// The median of the launches that have it.
double median_of(std::span<const double> by_launch_s, std::span<const std::size_t> launches) {
  std::vector<double> values;
  for (const std::size_t launch : launches) {
    if (!std::isnan(by_launch_s[launch])) values.push_back(by_launch_s[launch]);
  }
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : stats::median(values);
}

std::vector<std::size_t> each_once(std::size_t size) {
  std::vector<std::size_t> all(size);
  for (std::size_t i = 0; i < size; ++i) all[i] = i;
  return all;
}

/// The settings of a model that are chosen among some values rather than fitted.
std::vector<ModelKeys> choices_of(std::string_view model, double above) {
  if (model == "pipelining") return {{}, {{"free_receives", 1}}};
  if (model == "logfp") return {{{"f", 1}}, {{"f", 2}}, {{"f", 3}}, {{"f", 5}}, {{"f", 8}}};
  // Messages of a later range may wait for their receivers.
  const bool has_protocols = model == "loggp" || model == "two_level";
  if (has_protocols && above > 0) return {{}, {{"S", above}}};
  return {{}};
}

/// Where the search for a parameter begins: a part of what one message takes.
struct Scale {
  double message_s = 0;
  double byte_s = 0;
  double reduced_byte_s = 0;
};

/// @param chosen  the patterns of one range, by index
template <typename Pattern>
Scale scale_of(const std::vector<Pattern>& all, std::span<const std::size_t> chosen) {
  Scale scale;
  double most = 0;
  for (const std::size_t i : chosen) {
    const Case& what = all[i].what;
    const double once = all[i].time_s / times_of(what);
    const bool longest = size_of(what) >= most;
    most = std::max(most, size_of(what));
    if (what.variant.algorithm() == kReduction && longest)
      scale.reduced_byte_s = once / size_of(what);
    if (what.variant.algorithm() != kPingPong) continue;
    if (scale.message_s == 0 || once / 2 < scale.message_s) scale.message_s = once / 2;
    if (longest) scale.byte_s = once / 2 / size_of(what);
  }
  return scale;
}

/// The keys that are fitted, and several points to begin from: in each another one of the times is
/// large, because models take the larger of some, and bytes take more or less.
struct Search {
  std::vector<std::string_view> keys{};
  std::vector<std::vector<double>> starts{};
};

Search search_of(std::string_view model, const ModelKeys& chosen, const Scale& scale) {
  Search search;
  std::vector<double> start;
  std::vector<std::size_t> times;
  std::vector<std::size_t> per_byte;
  for (const ModelKey& each : keys_of(model)) {
    if (chosen.contains(each.key)) continue;
    if (each.unit == kSeconds) {
      times.push_back(start.size());
      start.push_back(scale.message_s / 3);
    } else if (each.unit == kPerByte) {
      if (each.key != kGamma) per_byte.push_back(start.size());
      start.push_back(each.key == kGamma ? std::max(scale.reduced_byte_s, kLeastPerByte)
                                         : scale.byte_s / 2);
    } else if (each.unit == kFactor) {
      start.push_back(1);
    } else {
      continue;
    }
    search.keys.push_back(each.key);
  }
  for (const std::size_t large : times) {
    for (const double small : {1., 0.3}) {
      std::vector<double>& from = search.starts.emplace_back(start);
      for (const std::size_t each : times) from[each] *= each == large ? 2 : 0.5;
      for (const std::size_t each : per_byte) from[each] *= small;
    }
  }
  return search;
}

}  // namespace

double FittedModel::median_difference() const { return median_absolute(differences); }

Fitting::Fitting(std::vector<Observed> observed) {
  std::map<std::int64_t, double> messages;  // what one takes, by its size
  for (Observed& each : observed) {
    launches_ = each.by_launch_s.size();
    const double time = median_of(each.by_launch_s, each_once(launches_));
    if (std::isnan(time)) {
      throw UsageError(fmt::format("{} was not measured", to_text(each.what)));
    }
    std::vector<Pattern>& into = kernels::is_pattern(each.what.variant) ? patterns_ : algorithms_;
    Pattern& pattern = into.emplace_back(Pattern{.what = each.what, .time_s = time});
    const int times = times_of(each.what);
    const bool is_long = !each.what.variant.algorithm().starts_with("stream") && times > kMore;
    for (const Case& priced :
         is_long ? std::vector{repeated(each.what, kMore), repeated(each.what, kFew)}
                 : std::vector{each.what}) {
      pattern.exchanges.push_back(
          kernels::exchange_of(kernels::algorithm_of(priced), kernels::problem_of(priced)));
    }
    pattern.call = {.problem = kernels::problem_of(each.what),
                    .count = each.what.message.value / extent(each.what.datatype).value,
                    .datatype = each.what.datatype,
                    .op = each.what.op};
    pattern.by_launch_s = std::move(each.by_launch_s);
    if (each.what.variant.algorithm() == kPingPong) {
      const auto [found, is_new] =
          messages.emplace(each.what.message.value, time / (2 * times_of(each.what)));
      if (!is_new) found->second = std::min(found->second, time / (2 * times_of(each.what)));
    }
  }
  if (messages.empty()) throw UsageError("no ping-pong was measured: nothing to fit to");
  for (Pattern& each : patterns_) {
    if (each.what.variant.algorithm() != kReduction) continue;
    const auto beside = messages.find(each.what.message.value);
    if (beside != messages.end()) each.added_s = beside->second * times_of(each.what);
  }
}

double Fitting::Pattern::time_on(const Machine& machine) const {
  const double first = finish_time(exchanges.front(), call, machine).value;
  if (exchanges.size() == 1) return first;
  const double fewer = finish_time(exchanges.back(), call, machine).value;
  return first + (first - fewer) * (times_of(what) - kMore) / (kMore - kFew);
}

double Fitting::Pattern::difference(double predicted_s) const {
  return (predicted_s - time_s) / (time_s + added_s);
}

double Fitting::Pattern::difference(double predicted_s,
                                    std::span<const std::size_t> launches) const {
  double time = median_of(by_launch_s, launches);
  if (std::isnan(time)) time = time_s;  // none of them measured it
  return (predicted_s - time) / (time + added_s);
}

std::vector<double> Fitting::one_way_times(std::vector<double>& bytes) const {
  std::map<double, double> times;
  for (const Pattern& each : patterns_) {
    if (each.what.variant.algorithm() != kPingPong) continue;
    times.emplace(size_of(each.what), each.time_s / (2 * times_of(each.what)));
  }
  std::vector<double> values;
  for (const auto& [size, time] : times) {
    bytes.push_back(size);
    values.push_back(time);
  }
  return values;
}

std::vector<double> Fitting::range_ends() const {
  std::vector<double> bytes;
  const std::vector<double> times = one_way_times(bytes);
  return line_ends(bytes, times);
}

/// A model's parameters in one range, also for other launches.
struct Fitting::RangeFit {
  std::vector<std::size_t> patterns{};  ///< by index
  ModelKeys chosen{};
  std::vector<std::string_view> keys{};
  std::vector<double> predicted_s{};
  std::optional<LeastSquares> least{};

  [[nodiscard]] Parameters parameters(std::string_view model,
                                      std::span<const double> values) const {
    ModelKeys all = chosen;
    for (std::size_t i = 0; i < keys.size(); ++i) all[keys[i]] = values[i];
    return parameters_of(model, all);
  }
};

Fitting::RangeFit Fitting::fit_range(std::string_view model, double above, double up_to) const {
  RangeFit range;
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    const double size = size_of(patterns_[i].what);
    if (size > above && size <= up_to) range.patterns.push_back(i);
  }
  const Scale scale = scale_of(patterns_, range.patterns);
  const auto predicted = [&](const RangeFit& with, std::span<const double> values) {
    Machine machine{with.parameters(model, values)};
    std::vector<double> times;
    for (const std::size_t i : range.patterns) {
      times.push_back(patterns_[i].time_on(machine));
    }
    return times;
  };
  for (const ModelKeys& chosen : choices_of(model, above)) {
    Search search = search_of(model, chosen, scale);
    RangeFit tried = range;
    tried.chosen = chosen;
    tried.keys = std::move(search.keys);
    const Residuals residuals = [&](std::span<const double> values) {
      std::vector<double> differences = predicted(tried, values);
      for (std::size_t i = 0; i < differences.size(); ++i) {
        differences[i] = patterns_[range.patterns[i]].difference(differences[i]);
      }
      return differences;
    };
    for (std::vector<double>& start : search.starts) {
      LeastSquares least{residuals, std::move(start)};
      if (range.least && !(least.loss() < range.least->loss())) continue;
      range.chosen = chosen;
      range.keys = tried.keys;
      range.least = std::move(least);
    }
  }
  range.predicted_s = predicted(range, range.least->parameters());
  return range;
}

FittedModel Fitting::fit(std::string_view model, std::span<const double> ends,
                         std::uint64_t seed) const {
  constexpr std::size_t kReplicates = 199;
  constexpr std::size_t kLeastLaunches = 3;
  FittedModel fitted{.differences = std::vector<double>(patterns_.size())};
  fitted.machine.machine.ranges.clear();
  if (launches_ >= kLeastLaunches) {
    fitted.machine.replicates.assign(kReplicates, fitted.machine.machine);
  }
  double above = 0;
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    const double up_to = i < ends.size() ? ends[i] : std::numeric_limits<double>::infinity();
    const RangeFit range = fit_range(model, above, up_to);
    fitted.machine.machine.ranges.push_back(
        {range.parameters(model, range.least->parameters()), up_to});
    for (std::size_t k = 0; k < range.patterns.size(); ++k) {
      fitted.differences[range.patterns[k]] =
          patterns_[range.patterns[k]].difference(range.predicted_s[k]);
    }
    std::mt19937_64 random{seed};  // the same launches in each range
    for (Machine& replicate : fitted.machine.replicates) {
      const std::vector<std::size_t> launches = drawn(launches_, random);
      std::vector<double> residuals;
      for (std::size_t k = 0; k < range.patterns.size(); ++k) {
        residuals.push_back(
            patterns_[range.patterns[k]].difference(range.predicted_s[k], launches));
      }
      replicate.ranges.push_back({range.parameters(model, range.least->stepped(residuals)), up_to});
    }
    above = up_to;
  }
  return fitted;
}

}  // namespace breakeven::sim
