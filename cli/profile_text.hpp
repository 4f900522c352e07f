// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "harness/session/program.hpp"
#include "tables/profile.hpp"

namespace breakeven::cli {

/// Prints on standard error the programs of a profile, its calls by their time, and their sums.
/// @param tables  in force, whose speedups tell what is saved
/// @return seconds saved; nothing where it is not known
std::optional<double> print_profile(const tables::Profile& profile,
                                    const std::optional<session::ProgramTables>& tables);

}  // namespace breakeven::cli
