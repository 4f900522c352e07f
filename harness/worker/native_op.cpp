// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/native_op.hpp"

#include "executor/mpi_types.hpp"

namespace breakeven {

MPI_Op native_op(Op op) { return mpi_op(op); }

}  // namespace breakeven
