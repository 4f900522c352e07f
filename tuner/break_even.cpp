// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/break_even.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace breakeven::tuner {

namespace {

/// The times of both choices at the size of `at`, with the counts with which the choice of
/// `larger` is worth least.
struct Times {
  double of_smaller_s;
  double of_larger_s;
};
std::optional<Times> times_at(const Decision& at, const Decision& smaller, const Decision& larger) {
  const Contest* const contest = at.with(larger.contest().problem.counts);
  if (contest == nullptr) return std::nullopt;
  const Candidate* const old_choice = contest->find(smaller.choice().times.what);
  const Candidate* const new_choice = contest->find(larger.choice().times.what);
  if (old_choice == nullptr || new_choice == nullptr) return std::nullopt;
  return Times{old_choice->seconds(), new_choice->seconds()};
}

/// How much longer the choice of `smaller` takes than that of `larger`.
std::optional<double> lead_of_larger(const Decision& at, const Decision& smaller,
                                     const Decision& larger) {
  const auto times = times_at(at, smaller, larger);
  if (!times) return std::nullopt;
  const double lead = times->of_smaller_s - times->of_larger_s;
  constexpr double kRounding = 1e-6;  // of times without noise, as those of models
  return std::abs(lead) <= kRounding * times->of_larger_s ? 0 : lead;
}

/// In bytes, not yet a whole element.
double crossing_or_geometric_mean(const Decision& smaller, const Decision& larger) {
  const auto low = static_cast<double>(smaller.problem.message.value);
  const auto high = static_cast<double>(larger.problem.message.value);
  const auto at_low = lead_of_larger(smaller, smaller, larger);
  const auto at_high = lead_of_larger(larger, smaller, larger);
  if (at_low && at_high && *at_low <= 0 && *at_high >= 0 && *at_low < *at_high) {
    return low + (high - low) * *at_low / (*at_low - *at_high);
  }
  return std::sqrt(low * high);
}

}  // namespace

Bytes break_even(const Decision& smaller, const Decision& larger) {
  // A crossing on an element stays there although its last digits are rounding.
  constexpr double kRounding = 1e-12;
  const Bytes element = extent(smaller.problem.datatype);
  const double elements =
      crossing_or_geometric_mean(smaller, larger) / static_cast<double>(element.value);
  const Bytes whole = static_cast<std::int64_t>(std::ceil(elements * (1 - kRounding))) * element;
  return std::max(whole, Bytes{smaller.problem.message.value + element.value});
}

std::optional<double> steepness(const Decision& smaller, const Decision& larger) {
  const auto below = times_at(smaller, smaller, larger);
  const auto above = times_at(larger, smaller, larger);
  if (!below || !above) return std::nullopt;
  const auto low = static_cast<double>(std::max(smaller.problem.message, Bytes{1}).value);
  const auto high = static_cast<double>(larger.problem.message.value);
  const double parted = std::log(above->of_smaller_s / above->of_larger_s) +
                        std::log(below->of_larger_s / below->of_smaller_s);
  return std::max(0.0, parted / std::log(high / low));
}

std::string break_even_text(Bytes point, Bytes below, Bytes above) {
  if (below >= above) return to_text(point);
  const auto bytes = static_cast<double>(point.value);
  const double unit = std::pow(1024, std::floor(std::log2(bytes) / 10));
  const double in_units = bytes / unit;
  for (const double digit : {1.0, 10.0, 100.0}) {
    const double step = std::pow(10, std::floor(std::log10(in_units))) / digit;
    const double rounded = std::round(in_units / step) * step;
    const auto near = Bytes{std::llround(rounded * unit)};
    if (near <= below || near > above) continue;
    const std::string one = to_text(Bytes{std::llround(unit)});  // "1 KiB"
    return fmt::format("~{:g}{}", rounded, one.substr(one.find(' ')));
  }
  return to_text(point);
}

}  // namespace breakeven::tuner
