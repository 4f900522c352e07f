// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/case.hpp"
#include "kernels/algorithm.hpp"

namespace breakeven::kernels {

/// Whether it is a pattern of messages that machines are fitted to. Patterns run and are priced as
/// algorithms of allreduce, whose buffers they use, but leave no collective's result.
///
/// Groups of 1 + `peers` ranks, `distance` apart, do the same at the same time; ranks that are left
/// over do nothing. All is done `times` times, so that the ranks' different starts are a small part
/// of the whole.
[[nodiscard]] bool is_pattern(const Variant& variant);

/// A case's algorithm: a pattern or one of the catalogue.
/// @throws UsageError as find_algorithm() does.
[[nodiscard]] const Algorithm& algorithm_of(const Case& what);

}  // namespace breakeven::kernels
