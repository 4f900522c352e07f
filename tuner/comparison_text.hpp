// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tuner/comparison.hpp"

namespace breakeven::tuner {

/// The comparison for people: how many choices are alike, what each table loses, and where they
/// differ, a line for neighbouring sizes with the same two choices.
[[nodiscard]] std::string comparison_text(const Comparison& comparison, const Side& first,
                                          const Side& second);

/// The same as JSON, cell by cell; ratios are the first's time / the second's.
[[nodiscard]] std::string comparison_json(const Comparison& comparison, const Side& first,
                                          const Side& second);

}  // namespace breakeven::tuner
