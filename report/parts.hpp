// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "report/report.hpp"
#include "report/sheet.hpp"

// The parts of the page: HTML that is readable by itself, its style and its scripts.

namespace breakeven::report {

/// One sentence: the speedup over the library's default, and where it is largest.
[[nodiscard]] std::string findings_sentence(const Subject& subject, std::span<const Sheet> sheets);
/// The certainty of the choices.
[[nodiscard]] std::string certainty_sentence(std::span<const Sheet> sheets);
/// The part of a program's time that a table saves, in a sentence.
[[nodiscard]] std::string program_sentence(const Subject& subject, const tables::Profile& profile);

/// The crossover map of a sheet as SVG, in the manner of Rabenseifner, "Optimization of Collective
/// Reduction Operations" (ICCS 2004), figure 3: sizes across, processes upwards, a line at each
/// break-even point, doubt hatched, and a circle where a program spends time. Its cells stand in
/// the order of `Sheet::cells`.
/// @param short_names  as `abbreviations`: for areas that are too narrow for a whole name
[[nodiscard]] std::string map_svg(const Sheet& sheet,
                                  const std::map<std::string, std::string>& short_names);
/// Each choice with the sizes that it holds for, a table for each sheet.
[[nodiscard]] std::string choices_list(const Sheet& sheet);
/// The calls of a program that take most of its time, and what is saved of it.
[[nodiscard]] std::string program_list(const Subject& subject, const tables::Profile& profile);
/// The guidelines' verdicts, violations first.
[[nodiscard]] std::string guidelines_part(const Contents& contents);
/// The doctor's findings.
[[nodiscard]] std::string doctor_part(std::string_view inspection);
/// The measurements, the machine, versions, and the commands that repeat them.
[[nodiscard]] std::string origin_part(const Contents& contents);
/// The files of a table, to copy.
[[nodiscard]] std::string settings_part(const Contents& contents);

/// The files of these names in this folder.
[[nodiscard]] std::string_view page_css();
[[nodiscard]] std::string_view cells_js();
[[nodiscard]] std::string_view player_js();
[[nodiscard]] std::string_view detail_js();
[[nodiscard]] std::string_view page_js();
/// D3 with its licence, from the system that this was built on; empty where it was not there.
[[nodiscard]] std::string_view d3_js();
[[nodiscard]] std::string_view d3_licence();

}  // namespace breakeven::report
