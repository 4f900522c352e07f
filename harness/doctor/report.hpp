// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "harness/doctor/examine.hpp"

namespace breakeven::doctor {

/// For a person: the most severe findings first, a paragraph each; then those that are ok, a line
/// each.
[[nodiscard]] std::string report_text(const Examination& examination);

/// One JSON document on one line, "breakeven-doctor-1": the findings, and all facts behind them.
[[nodiscard]] std::string report_json(const Examination& examination);

}  // namespace breakeven::doctor
