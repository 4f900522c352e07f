// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"

namespace breakeven {

/// Collective. How many ranks share memory with this one, itself among them.
[[nodiscard]] int ranks_on_this_node(const Communicator& comm);

/// Collective. The lowest rank that shares memory with this one.
[[nodiscard]] int first_rank_on_this_node(const Communicator& comm);

}  // namespace breakeven
