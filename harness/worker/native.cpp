// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/native.hpp"

#include "core/error.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven {

std::function<void()> native_collective(Workspace& workspace, MPI_Comm comm) {
  const CollectiveCall& call = workspace.call();
  const void* in = workspace.input().data();
  void* out = workspace.output().data();
  const auto n = static_cast<int>(call.count);
  const MPI_Datatype type = mpi_datatype(call.datatype);
  const MPI_Op op = mpi_op(call.op);
  const int root = call.problem.root.value;
  switch (call.problem.collective) {
    case Collective::allgather:
      return [=] { check_mpi(MPI_Allgather(in, n, type, out, n, type, comm), "MPI_Allgather"); };
    case Collective::allreduce:
      return [=] { check_mpi(MPI_Allreduce(in, out, n, type, op, comm), "MPI_Allreduce"); };
    case Collective::bcast:
      return [=] { check_mpi(MPI_Bcast(out, n, type, root, comm), "MPI_Bcast"); };
    case Collective::reduce:
      return [=] { check_mpi(MPI_Reduce(in, out, n, type, op, root, comm), "MPI_Reduce"); };
    case Collective::reduce_scatter_block:
      return [=] {
        check_mpi(MPI_Reduce_scatter_block(in, out, n, type, op, comm), "MPI_Reduce_scatter_block");
      };
    case Collective::scatter:
      return [=] { check_mpi(MPI_Scatter(in, n, type, out, n, type, root, comm), "MPI_Scatter"); };
  }
  throw Error("native: not a collective");
}

}  // namespace breakeven
