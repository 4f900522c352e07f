// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>

#include "core/case.hpp"
#include "core/library_setting.hpp"
#include "executor/communicator.hpp"
#include "libraries/forced/forced_algorithm.hpp"

namespace breakeven::forced {

/// Collective. Whether no rank has threads that may call MPI at once: what is forced for a call
/// holds for all of its process.
[[nodiscard]] bool one_call_at_a_time(const executor::Communicator& comm);

/// As settings_in_force(), in a program of somebody else's, without a ToolsSession.
[[nodiscard]] LibrarySettings settings_in_program();

/// An algorithm that is forced in a program of somebody else's, without a ToolsSession.
/// @throws as ForcedAlgorithm
[[nodiscard]] std::shared_ptr<const ForcedAlgorithm> force_in_program(const Case& what,
                                                                      MPI_Comm comm, Unable unable);

}  // namespace breakeven::forced
