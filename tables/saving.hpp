// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "tables/profile.hpp"
#include "tables/table.hpp"

namespace breakeven::tables {

/// The gain of a program's calls from a table.
struct Saving {
  Variant variant = Native{};        ///< that ran
  std::optional<Speedup> speedup{};  ///< over the library's default, as it was measured at the size
                                     ///< of the rule where it is smallest; nothing for the default
  std::optional<double> saved_s{};   ///< of blocking calls: others may be hidden
};

/// Nothing is claimed where the table was not measured, at other layouts or sizes or in place, nor
/// of the time that calls wait for late processes: each counts as one that hardly waits.
/// @param use  of the profile
/// @param library  in force in the MPI library itself, for calls that are left to it; null: none
[[nodiscard]] Saving saving_of(const Profile& profile, const Use& use, const Table& table,
                               const Table* library);

/// Time that calls took less than in another run, below 0 if they took longer. Two comparisons
/// bound it: of the mean time of a call, which the slow start of a short run and noise change, and
/// of the time of a call that hardly waits, which leaves out waiting that the algorithm causes.
struct ObservedSaving {
  double least_s = 0;
  double most_s = 0;
};

/// Of the blocking calls for which another algorithm ran before; nothing where there are none.
[[nodiscard]] std::optional<ObservedSaving> observed_saving(const Profile& profile,
                                                            const Profile& before);

/// "the table has no rules for p = 6 (it has 2, 4)": for some collective of the table that the
/// program calls on communicators of that layout; empty: it has rules for all.
[[nodiscard]] std::string layouts_without_rules(const Profile& profile, const Table& table);

}  // namespace breakeven::tables
