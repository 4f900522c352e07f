// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "tuner/profile.hpp"
#include "tuner/table.hpp"

namespace breakeven::tuner {

/// What a table does for calls of a program.
struct Saving {
  std::string algorithm{};           ///< that ran, variant_text
  std::optional<Speedup> speedup{};  ///< over the library's default, as it was measured at the size
                                     ///< of the rule where it is smallest; nothing for the default
  double saved_s = 0;
};

/// @param library  in force in the MPI library itself, for calls that are left to it; null: none
[[nodiscard]] Saving saving_of(const Use& use, const Amount& amount, const Table& table,
                               const Table* library);

}  // namespace breakeven::tuner
