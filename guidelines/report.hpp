// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "core/launch.hpp"
#include "guidelines/evaluate.hpp"

namespace breakeven::guidelines {

/// For people: fixed-width text, the worst cells of each guideline first.
/// @param most_rows  of each guideline; the rest is counted
[[nodiscard]] std::string report_text(const Evaluation& evaluation, const Machine& machine,
                                      std::size_t most_rows = 10);

/// For programs: one JSON document with every finding. Durations in seconds, sizes in bytes.
[[nodiscard]] std::string report_json(const Evaluation& evaluation, const Machine& machine);

}  // namespace breakeven::guidelines
