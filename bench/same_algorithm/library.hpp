// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/collective.hpp"

namespace breakeven::bench {

/// An algorithm that the library has too, by both names.
struct Pair {
  Collective collective = Collective::allreduce;
  std::string_view ours;
  std::string_view library;
};

/// A control variable of the library and its value.
struct Setting {
  std::string variable;
  std::string value;
};

/// What is compared with an MPI library, and where.
struct Library {
  std::string_view name;
  std::string_view key;     ///< before the names of its algorithms in cases: "openmpi"
  std::string_view prefix;  ///< and a variable's name: the environment variable that sets it
  std::span<const Setting> settings{};  ///< from MPI_Init on
  std::span<const Pair> pairs;          ///< those of a collective stand together
};

/// The one that this program is linked with.
extern const Library kLibrary;

}  // namespace breakeven::bench
