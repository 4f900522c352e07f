// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "kernels/catalogue.hpp"

namespace breakeven::kernels {

/// Whether two variants do the same: on each rank of a problem the same messages and local steps,
/// in the same order. Where all ranks have more than four million of these, only some are compared,
/// from the first to the last.
/// @param problem  its `me` and `params` are ignored
/// @pre both run there
[[nodiscard]] bool equal_schedules(const Problem& problem, const Variant& one,
                                   const Variant& other);

/// The variants in groups of equal schedules: groups by their first members, and these, in the
/// order of `variants`.
[[nodiscard]] std::vector<std::vector<Variant>> groups_of_equals(const Problem& problem,
                                                                 std::span<const Variant> variants);

/// The algorithms that run a problem without parameters, in the order of the catalogue.
[[nodiscard]] std::vector<Variant> plain_variants(const Problem& problem);

}  // namespace breakeven::kernels
