// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tables/profile.hpp"

namespace breakeven::cli {

/// What `breakeven profile` wrote.
/// @throws UsageError naming the file when it is nothing such.
[[nodiscard]] tables::Profile profile_in(const std::string& file);

/// A sweep file that measures what a program calls, as far as one sweep can: on the nodes and with
/// the mapping where most time goes, with the datatype and op of most reductions, and of the calls
/// there those that take 99 % of the time. Empty when the program calls nothing.
/// @param machine  the program's MPI library
[[nodiscard]] std::string profile_sweep(const tables::Profile& profile, const std::string& machine);

}  // namespace breakeven::cli
