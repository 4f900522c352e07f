// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

namespace breakeven::stats {

/// What is known of a quantity: a normal distribution.
struct Belief {
  double mean = 0;
  double variance = 0;

  [[nodiscard]] double deviation() const;
};

/// One minus the other, which are independent.
[[nodiscard]] Belief operator-(const Belief& one, const Belief& other);

/// Whether one is less than the other with a probability of 97.5 %.
[[nodiscard]] bool significantly_less(const Belief& one, const Belief& other);

/// The probability that `all[which]` is at most `margin` above the least of the others. They are
/// independent.
[[nodiscard]] double probability_near_least(std::span<const Belief> all, std::size_t which,
                                            double margin);

}  // namespace breakeven::stats
