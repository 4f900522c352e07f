// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace breakeven::tuner {

/// The cost of each candidate at one message size; infinite where it is no choice.
struct SizeCosts {
  double weight = 1;  ///< of its costs in the sum
  std::vector<double> costs{};
};

/// For each size the candidate, such that the sum of weight x cost and of `price` for each rule is
/// least: by dynamic programming, exactly. A rule begins where the candidate differs from that of
/// the size before; in front of the first size stands the candidate `by_default`, or none, which
/// makes the first rule free. Of equal sums the one with the earlier candidate, and with the fewer
/// rules, is taken.
/// @pre there is a size; at each some candidate's cost is finite; `by_default` is an index into
/// `costs` or more
[[nodiscard]] std::vector<std::size_t> cheapest_assignment(std::span<const SizeCosts> sizes,
                                                           double price, std::size_t by_default);

}  // namespace breakeven::tuner
