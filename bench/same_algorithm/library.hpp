// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/collective.hpp"

namespace breakeven::bench {

/// Whether a library that was told to run an algorithm really does so, and does not quietly run
/// another, with so many processes and elements, as MPI counts them.
using Honest = bool (*)(int procs, std::int64_t count);
inline constexpr Honest kAlways = [](int, std::int64_t) { return true; };
/// An element for each process that takes part in halving, which are a power of two.
inline constexpr Honest kEnoughToHalve = [](int procs, std::int64_t count) {
  return count >= static_cast<std::int64_t>(std::bit_floor(static_cast<unsigned>(procs)));
};

/// An algorithm that the library has too, by both names.
struct Pair {
  Collective collective = Collective::allreduce;
  std::string_view ours;
  std::string_view library;
  Honest honest = kAlways;
};

/// A control variable of the library and its value.
struct Setting {
  std::string variable;
  std::string value;
};

/// What forcing needs to know of an MPI library.
struct Library {
  std::string_view name;
  std::string_view prefix;  ///< and a variable's name: the environment variable that sets it
  std::span<const Setting> settings;  ///< from MPI_Init on
  /// The control variable that says which algorithm a collective takes.
  std::string (*algorithm_variable)(Collective collective);
  std::span<const Pair> pairs;  ///< those of a collective stand together
};

/// The one that this program is linked with.
extern const Library kLibrary;

}  // namespace breakeven::bench
