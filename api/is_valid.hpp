// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/mpi_call.hpp"

namespace breakeven::api {

/// Whether the arguments of a call are such as no library refuses. What it would refuse is left to
/// it, so that the program gets the error that it would get without us.
/// @param procs, me  of the call's communicator
[[nodiscard]] bool is_valid(const executor::MpiCall& call, int procs, int me);

}  // namespace breakeven::api
