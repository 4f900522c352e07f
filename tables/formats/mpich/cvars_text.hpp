// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libraries/mpich_compositions.hpp"

/// The words of a file of MPICH's variables, for those who write and those who read it.
namespace breakeven::formats::mpich {

inline constexpr std::string_view kExport = "export ";
inline constexpr std::string_view kPrefix = "MPIR_CVAR_";
// Ends of names, see variable_name.
inline constexpr std::string_view kAlgorithm = "INTRA_ALGORITHM";
inline constexpr std::string_view kComposition = "COMPOSITION";
inline constexpr std::string_view kDevice = "DEVICE_COLLECTIVE";

/// The collective's compositions, in the order of their numbers from 1 on.
[[nodiscard]] inline std::vector<std::string_view> compositions_of(Collective collective) {
  std::vector<std::string_view> names;
  for (const libraries::LibraryAlgorithm& each : libraries::mpich::compositions()) {
    if (each.collective == collective) names.push_back(each.name);
  }
  return names;
}

}  // namespace breakeven::formats::mpich
