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

/// The algorithm of a case; null where it is none of the catalogue.
[[nodiscard]] const Algorithm* known_algorithm(const Case& what);

/// An algorithm of ours with values of its parameters.
struct Instance {
  const Algorithm* algorithm = nullptr;
  Params params{};
  friend bool operator==(const Instance&, const Instance&) = default;
};
/// @throws UsageError as find_algorithm and Params::parse do.
[[nodiscard]] Instance find_instance(Collective collective, const Variant& variant);
[[nodiscard]] Variant variant_of(const Instance& instance);
[[nodiscard]] std::string to_text(const Instance& instance);

}  // namespace breakeven::kernels
