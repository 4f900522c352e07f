// SPDX-License-Identifier: BSD-3-Clause
#include "executor/mpi_types.hpp"
#include "harness/worker/native.hpp"

namespace breakeven::worker {

MPI_Op native_op(Op op) { return executor::mpi_op(op); }

}  // namespace breakeven::worker
