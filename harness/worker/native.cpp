// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/native.hpp"

#include <vector>

#include "core/error.hpp"
#include "executor/int_blocks.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven::worker {

namespace {

/// Blocks as alltoallw wants them: with a type for each process, and places in bytes.
struct TypedBlocks {
  std::vector<int> counts;
  std::vector<int> byte_places;
  std::vector<MPI_Datatype> types;
};

TypedBlocks typed_blocks_of(const kernels::CollectiveCall& call) {
  executor::IntBlocks blocks = executor::int_blocks_of(call);
  for (int& place : blocks.displacements) place *= static_cast<int>(extent(call.datatype).value);
  return {.counts = blocks.counts,
          .byte_places = blocks.displacements,
          .types = std::vector(blocks.counts.size(), executor::mpi_datatype(call.datatype))};
}

}  // namespace

std::function<void()> native_collective(Workspace& workspace, MPI_Comm comm) {
  const kernels::CollectiveCall& call = workspace.call();
  const void* in = workspace.input().data();
  void* out = workspace.output().data();
  const auto n = static_cast<int>(call.count);
  const MPI_Datatype type = executor::mpi_datatype(call.datatype);
  const MPI_Op op = native_op(call.op);
  const int root = call.problem.root.value;
  switch (call.problem.collective) {
    case Collective::allgather:
      return [=] {
        executor::check_mpi(MPI_Allgather(in, n, type, out, n, type, comm), "MPI_Allgather");
      };
    case Collective::allgatherv:
      return [=, all = executor::int_blocks_of(call)] {
        executor::check_mpi(MPI_Allgatherv(in, all.own, type, out, all.counts.data(),
                                           all.displacements.data(), type, comm),
                            "MPI_Allgatherv");
      };
    case Collective::allreduce:
      return
          [=] { executor::check_mpi(MPI_Allreduce(in, out, n, type, op, comm), "MPI_Allreduce"); };
    case Collective::alltoall:
      return [=] {
        executor::check_mpi(MPI_Alltoall(in, n, type, out, n, type, comm), "MPI_Alltoall");
      };
    case Collective::alltoallv:
      return [=, all = executor::int_blocks_of(call)] {
        executor::check_mpi(
            MPI_Alltoallv(in, all.counts.data(), all.displacements.data(), type, out,
                          all.counts.data(), all.displacements.data(), type, comm),
            "MPI_Alltoallv");
      };
    case Collective::alltoallw:
      return [=, all = typed_blocks_of(call)] {
        const int* const counts = all.counts.data();
        const int* const places = all.byte_places.data();
        const MPI_Datatype* const types = all.types.data();
        executor::check_mpi(
            MPI_Alltoallw(in, counts, places, types, out, counts, places, types, comm),
            "MPI_Alltoallw");
      };
    case Collective::barrier: return [=] { executor::check_mpi(MPI_Barrier(comm), "MPI_Barrier"); };
    case Collective::bcast:
      return [=] { executor::check_mpi(MPI_Bcast(out, n, type, root, comm), "MPI_Bcast"); };
    case Collective::exscan:
      return [=] { executor::check_mpi(MPI_Exscan(in, out, n, type, op, comm), "MPI_Exscan"); };
    case Collective::gather:
      return [=] {
        executor::check_mpi(MPI_Gather(in, n, type, out, n, type, root, comm), "MPI_Gather");
      };
    case Collective::gatherv:
      return [=, all = executor::int_blocks_of(call)] {
        executor::check_mpi(MPI_Gatherv(in, all.own, type, out, all.counts.data(),
                                        all.displacements.data(), type, root, comm),
                            "MPI_Gatherv");
      };
    case Collective::reduce:
      return
          [=] { executor::check_mpi(MPI_Reduce(in, out, n, type, op, root, comm), "MPI_Reduce"); };
    case Collective::reduce_scatter:
      return [=, all = executor::int_blocks_of(call)] {
        executor::check_mpi(MPI_Reduce_scatter(in, out, all.counts.data(), type, op, comm),
                            "MPI_Reduce_scatter");
      };
    case Collective::reduce_scatter_block:
      return [=] {
        executor::check_mpi(MPI_Reduce_scatter_block(in, out, n, type, op, comm),
                            "MPI_Reduce_scatter_block");
      };
    case Collective::scan:
      return [=] { executor::check_mpi(MPI_Scan(in, out, n, type, op, comm), "MPI_Scan"); };
    case Collective::scatter:
      return [=] {
        executor::check_mpi(MPI_Scatter(in, n, type, out, n, type, root, comm), "MPI_Scatter");
      };
    case Collective::scatterv:
      return [=, all = executor::int_blocks_of(call)] {
        executor::check_mpi(MPI_Scatterv(in, all.counts.data(), all.displacements.data(), type, out,
                                         all.own, type, root, comm),
                            "MPI_Scatterv");
      };
  }
  throw Error("native: not a collective");
}

}  // namespace breakeven::worker
