// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"

namespace breakeven::worker {

/// Collective. The dissemination barrier: ceil(log2 p) rounds of empty messages, 1, 2, 4, ... ranks
/// ahead. Our own, so that repetitions start alike whatever the library's own barrier does.
/// @see [hensgen1988]
void barrier(const executor::Communicator& comm);

}  // namespace breakeven::worker
