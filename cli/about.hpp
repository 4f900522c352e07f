// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace breakeven::cli {

/// The facts about this program for a report of a fault: version and commit on the first line, then
/// compiler, MPI libraries found by the build, SQLite and the system, a line each.
[[nodiscard]] std::string about_text();

}  // namespace breakeven::cli
