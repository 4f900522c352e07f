// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <map>
#include <span>
#include <vector>

#include "core/case.hpp"

namespace breakeven {

/// Calls of a program for which a table is asked in one place.
struct Called {
  Collective collective = Collective::barrier;
  NodeLayout layout{};  ///< of the communicator
  Bytes message{};  ///< a power of two: calls of at least this size, below the next; 0: not known
  CallForm form = CallForm::blocking;
  friend auto operator<=>(const Called&, const Called&) = default;
};

/// The time that a program spends in its calls; empty where no program is known.
using ProgramTime = std::map<Called, Seconds>;

[[nodiscard]] Seconds total(const ProgramTime& time);

/// The power of two that a message has at least; 0 without data.
[[nodiscard]] Bytes power_below(Bytes message);

/// Whether the program calls the collective of `problem` there in its form, with messages between
/// the same powers of two.
[[nodiscard]] bool calls(const ProgramTime& time, const Case& problem);

/// The time in calls for which each of the sizes stands: those of a power of two are spread evenly
/// over the sizes from there to the next, or else are at the nearest size; those of which the size
/// is not known are spread over all.
/// @param line  says collective, form and layout
/// @param sizes  ascending; one at least
[[nodiscard]] std::vector<Seconds> time_at(const ProgramTime& time, const Case& line,
                                           std::span<const Bytes> sizes);

}  // namespace breakeven
