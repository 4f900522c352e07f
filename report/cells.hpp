// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/launch.hpp"
#include "tables/profile.hpp"
#include "tuner/decision.hpp"

namespace breakeven::report {

/// Decisions for the maps, as JSON: the machine, and for each problem and kind of counts what was
/// measured, the choice, its certainty, and `baseline` / the fastest other candidate with
/// its 95 % interval (null where one of them was not measured). One line.
/// @param profile  by whose time the decisions were made: then also the program's time in
/// collectives and, of each problem, its time there and native / the choice; null: by none
/// @param baseline  a candidate by name, as "ring:segments=4"
[[nodiscard]] std::string cells_json(const Machine& machine,
                                     std::span<const tuner::Decision> decisions,
                                     const tables::Profile* profile = nullptr,
                                     std::string_view baseline = kNative);

}  // namespace breakeven::report
