// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace breakeven::executor {

/// How often a communicator or datatype that was seen here was freed, or a plan dropped. While it
/// stays the same, an equal handle is the same object, and a plan that was found is still there.
[[nodiscard]] inline std::atomic<std::uint64_t>& freed_handles() {
  static constinit std::atomic<std::uint64_t> freed{0};
  return freed;
}

}  // namespace breakeven::executor
