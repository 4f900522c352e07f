// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>

#include "harness/plan/sweep.hpp"
#include "tables/profile.hpp"

namespace breakeven::session {

/// The profile in a file of `breakeven profile`.
/// @throws UsageError naming the file when it holds no profile.
[[nodiscard]] tables::Profile profile_in(const std::string& file);

/// A sweep that measures the calls of a program, as far as one sweep can: on all layouts under the
/// mapping that takes most time, also of communicators smaller than the job, with the datatype and
/// op of most reductions; of the calls there it has those that take 99 % of the time. Without a
/// program_time when the program calls nothing.
/// @param machine  the program's MPI library
/// @param only     of these calls; null: all
[[nodiscard]] plan::Sweep program_sweep(const tables::Profile& profile, const std::string& machine,
                                        const std::set<Called>* only = nullptr);

/// The same as a sweep file; empty when the program calls nothing.
[[nodiscard]] std::string profile_sweep(const tables::Profile& profile, const std::string& machine);

}  // namespace breakeven::session
