// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "harness/protocol/cpu_set.hpp"

namespace breakeven::doctor {

/// Which CPUs share a core, a memory, a socket; all empty when hwloc can't tell.
struct Topology {
  std::vector<protocol::CpuSet> cores{};
  std::vector<protocol::CpuSet> numa{};
  std::vector<protocol::CpuSet> packages{};
};

/// @param synthetic  hwloc's description of another machine than this one, "numa:2 core:4 pu:2"
[[nodiscard]] Topology read_topology(const std::string& synthetic = {});

}  // namespace breakeven::doctor
