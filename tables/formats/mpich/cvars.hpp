// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libraries/mpich_compositions.hpp"
#include "tables/formats/common/emitted.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats::mpich {

/// The table as shell lines that set control variables of MPICH. One can say a single algorithm for
/// a collective: only collectives for which the table has one everywhere are in it.
/// @throws UsageError when the library's version is none that is known, or a choice is none of its
///         algorithms.
[[nodiscard]] Emitted emit_cvars(const tables::Table& table, const tables::Provenance& provenance);

/// Of any shell script: other variables, and commands that set none, are passed over.
[[nodiscard]] ReadTable read_cvars(std::string_view text);

/// Whether a text looks like one of them, however broken.
[[nodiscard]] bool is_cvars(std::string_view text);

/// The words of such a file.
inline constexpr std::string_view kExport = "export ";
inline constexpr std::string_view kPrefix = "MPIR_CVAR_";
/// Whether the device's own forms may run: "all" or "none" of them, or "percoll", as kDevice says.
inline constexpr std::string_view kDevices = "MPIR_CVAR_DEVICE_COLLECTIVES";
inline constexpr std::string_view kOff = "0 no NO false FALSE off OFF";  ///< of kDevice
inline constexpr std::string_view kLibraryChooses = "auto";          ///< where an algorithm is due
inline constexpr std::string_view kLibrarySchedules = "sched_auto";  ///< of nonblocking calls, too
// Ends of names, see variable_name.
inline constexpr std::string_view kAlgorithm = "INTRA_ALGORITHM";
inline constexpr std::string_view kComposition = "COMPOSITION";
inline constexpr std::string_view kDevice = "DEVICE_COLLECTIVE";

/// Whether the device's own form of a collective is off.
/// @param devices  the value of kDevices
/// @param off      whether the collective's own variable says so
[[nodiscard]] inline bool is_device_off(std::string_view devices, bool off) {
  return devices == "none" || (devices != "all" && off);
}

/// The collective's compositions, in the order of their numbers from 1 on.
[[nodiscard]] inline std::vector<std::string_view> compositions_of(Collective collective) {
  std::vector<std::string_view> names;
  for (const libraries::LibraryAlgorithm& each : libraries::mpich::compositions()) {
    if (each.collective == collective) names.push_back(each.name);
  }
  return names;
}

}  // namespace breakeven::formats::mpich
