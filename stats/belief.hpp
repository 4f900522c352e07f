// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "core/fields.hpp"

namespace breakeven::stats {

/// The knowledge of a quantity: a normal distribution.
struct Belief {
  double mean = 0;
  double variance = 0;

  [[nodiscard]] double deviation() const;
};

/// One minus the other, which are independent.
[[nodiscard]] Belief operator-(const Belief& one, const Belief& other);

/// A ratio, and the interval that holds it with a probability of 95 %.
struct RatioInterval {
  double ratio = 1;
  double low = 1;
  double high = 1;
};

constexpr auto fields(std::type_identity<RatioInterval>) {
  return kPlainFields<&RatioInterval::ratio, &RatioInterval::low, &RatioInterval::high>;
}

/// The deviations to both sides of a normal distribution's mean that hold 95 % of it.
inline constexpr double kDeviations = 1.96;

/// Of the logarithm of a ratio.
[[nodiscard]] RatioInterval interval_of(const Belief& log_ratio, double deviations = kDeviations);

/// Whether one is less than the other with a probability of 97.5 %.
[[nodiscard]] bool significantly_less(const Belief& one, const Belief& other);

/// The probability that `all[which]` is at most `margin` above the least of the others. They are
/// independent.
[[nodiscard]] double probability_near_least(std::span<const Belief> all, std::size_t which,
                                            double margin);

}  // namespace breakeven::stats
