// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "core/op.hpp"

namespace breakeven {

/// The operation that the library's own collectives are given: the library's. On a simulated
/// machine whose reductions take time, one of ours that takes as long as those of our algorithms.
[[nodiscard]] MPI_Op native_op(Op op);

}  // namespace breakeven
