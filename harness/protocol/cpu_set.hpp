// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace breakeven::protocol {

/// Linux's CPUs by number: hardware threads, of which a core may have several.
using CpuSet = std::set<int>;

/// "0-3,8", as the kernel and taskset write it; empty for none.
[[nodiscard]] std::string to_text(const CpuSet& cpus);

/// @throws Error naming `text` when it is not such a list.
[[nodiscard]] CpuSet parse_cpus(std::string_view text);

/// Whether both have a CPU in common.
[[nodiscard]] bool overlap(const CpuSet& a, const CpuSet& b);

/// The CPUs that a process may run on, 0 for the caller's thread; empty when that can't be read.
[[nodiscard]] CpuSet allowed_cpus(int pid);

}  // namespace breakeven::protocol
