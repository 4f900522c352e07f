// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "results/store.hpp"

namespace breakeven::session {

/// Stores what follows from all measurements of a machine, for readers of the database: times and
/// speedups as `show` prints them, and the choices of a table for blocking calls.
void store_estimates(results::Store& store, results::MachineId machine);

}  // namespace breakeven::session
