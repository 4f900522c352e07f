// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"
#include "harness/protocol.hpp"

namespace breakeven {

/// Collective. What the launch runs on; on ranks other than 0 without the hosts.
[[nodiscard]] Hello hello(const Communicator& comm);

}  // namespace breakeven
