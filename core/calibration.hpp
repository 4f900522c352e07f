// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>

#include "core/names.hpp"
#include "core/units.hpp"

namespace breakeven {

/// The measurements without a collective in each launch: they tell a change of the machine from a
/// change of the library.
enum class Probe : std::uint8_t {
  arithmetic,       ///< a loop of multiplications, on all ranks at once
  copy,             ///< copies in memory beyond the caches, on all ranks at once
  ping_pong_short,  ///< 8 bytes to another rank of the node and back, half of it
  ping_pong_long,   ///< the same, 64 KiB
  across_short,     ///< 8 bytes to a rank of another node and back, half of it
  across_long,      ///< the same, 64 KiB
};
inline constexpr Names<Probe, 6> kProbes{
    "probe",
    {{{Probe::arithmetic, "arithmetic"},
      {Probe::copy, "memory copy"},
      {Probe::ping_pong_short, "ping-pong of 8 B on a node"},
      {Probe::ping_pong_long, "ping-pong of 64 KiB on a node"},
      {Probe::across_short, "ping-pong of 8 B between nodes"},
      {Probe::across_long, "ping-pong of 64 KiB between nodes"}}}};
constexpr const auto& names(Probe) { return kProbes; }

/// The time of each probe of a launch; probes for which its layout has no ranks are left out.
using Calibration = std::map<Probe, Seconds>;

}  // namespace breakeven
