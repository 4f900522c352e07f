// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tables/profile.hpp"
#include "tables/table.hpp"

namespace breakeven::cli {

/// What `breakeven profile` wrote.
/// @throws UsageError naming the file when it is nothing such.
[[nodiscard]] tables::Profile profile_in(const std::string& file);

/// How much of the program's time is in calls for which the table was measured, in a line.
/// @throws UsageError when it is none.
[[nodiscard]] std::string covered_text(const std::string& file, const ProgramTime& time,
                                       const tables::Table& table);

}  // namespace breakeven::cli
