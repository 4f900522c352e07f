// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"

namespace breakeven {

/// A sound expectation on a collective: `left` takes no longer than `right`, one after the other,
/// for the same whole vector, because `right` can do its work.
struct Guideline {
  int number = 0;  ///< in its source
  std::string_view name;
  Collective left = Collective::allreduce;
  std::span<const Collective> right;
  std::string_view text;  ///< why it should hold
  std::string_view source;
};

/// The left side's collective, then those of the right.
[[nodiscard]] std::vector<Collective> terms_of(const Guideline& guideline);

/// "reduce_scatter_block(m) <= reduce(m) + scatter(m)"
[[nodiscard]] std::string to_text(const Guideline& guideline);

}  // namespace breakeven
