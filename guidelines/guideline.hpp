// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"

namespace breakeven {

/// A performance guideline: `left` takes no longer than the collectives of `right` one after the
/// other on the same whole vector, because they do the same work.
struct Guideline {
  int number = 0;  ///< in its source
  std::string_view name;
  Collective left = Collective::allreduce;
  std::span<const Collective> right;
  std::string_view words;  ///< why it should hold
  std::string_view source;
};

/// The left side's collective, then those of the right.
[[nodiscard]] std::vector<Collective> terms_of(const Guideline& guideline);

/// "reduce_scatter_block(m) <= reduce(m) + scatter(m)"
[[nodiscard]] std::string to_text(const Guideline& guideline);

}  // namespace breakeven
