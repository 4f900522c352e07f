// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels {

/// The algorithms of one collective: those for any p first, from the simplest on. Of those with
/// equal schedules the first is measured. An irregular collective has those of the regular one.
[[nodiscard]] std::span<const Algorithm* const> catalogue(Collective collective);

/// @throws UsageError naming the known algorithms when `name` is not one of them.
[[nodiscard]] const Algorithm& find_algorithm(Collective collective, std::string_view name);

/// An algorithm as a user names it, "ring:reorder_ranks=seq".
struct Variant {
  const Algorithm* algorithm = nullptr;
  Params params{};
  friend bool operator==(const Variant&, const Variant&) = default;
};
/// @throws UsageError as find_algorithm and Params::parse do.
[[nodiscard]] Variant find_variant(Collective collective, std::string_view name);
/// The name by which find_variant finds it.
[[nodiscard]] std::string to_text(const Variant& variant);

}  // namespace breakeven::kernels
