// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/report.hpp"
#include "report/sheet.hpp"

// The parts of the page, as HTML that is readable by itself.

namespace breakeven::report {

/// One sentence: how much faster than the library's default, and where.
[[nodiscard]] std::string findings_sentence(const Subject& subject, std::span<const Sheet> sheets);
/// How sure the choices are.
[[nodiscard]] std::string certainty_sentence(std::span<const Sheet> sheets);
/// What a table saves of a program's time, in a sentence.
[[nodiscard]] std::string program_sentence(const Subject& subject, const tables::Profile& profile);

/// Each choice with the sizes that it holds for, a table for each sheet.
[[nodiscard]] std::string choices_list(const Sheet& sheet);
/// The calls of a program that take most of its time, and what is saved of it.
[[nodiscard]] std::string program_list(const Subject& subject);
/// The guidelines' verdicts, violations first.
[[nodiscard]] std::string guidelines_part(const Contents& contents);
/// What the doctor found.
[[nodiscard]] std::string doctor_part(std::string_view inspection);
/// What was measured, where and with which versions, and the commands that do it again.
[[nodiscard]] std::string origin_part(const Contents& contents);
/// The files of a table, to copy.
[[nodiscard]] std::string settings_part(const Contents& contents);

}  // namespace breakeven::report
