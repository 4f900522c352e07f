// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "executor/mpi_call.hpp"

namespace breakeven::executor {

/// What MPI's arguments of a collective say at this rank: those of the MPI function of the same
/// name, MPI_IN_PLACE and the null handles of arguments that are not significant included. Counts
/// and displacements may be int or wider. The communicator and the root must be valid.

[[nodiscard]] MpiCall allgather_call(const void* sendbuf, MPI_Count sendcount,
                                     MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                                     MPI_Datatype recvtype, MPI_Comm comm);
[[nodiscard]] MpiCall allreduce_call(const void* sendbuf, void* recvbuf, MPI_Count count,
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
[[nodiscard]] MpiCall barrier_call(MPI_Comm comm);
[[nodiscard]] MpiCall bcast_call(void* buffer, MPI_Count count, MPI_Datatype datatype, int root,
                                 MPI_Comm comm);
[[nodiscard]] MpiCall gather_call(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                  int root, MPI_Comm comm);
[[nodiscard]] MpiCall reduce_call(const void* sendbuf, void* recvbuf, MPI_Count count,
                                  MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);
[[nodiscard]] MpiCall reduce_scatter_block_call(const void* sendbuf, void* recvbuf,
                                                MPI_Count recvcount, MPI_Datatype datatype,
                                                MPI_Op op, MPI_Comm comm);
[[nodiscard]] MpiCall scatter_call(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                   int root, MPI_Comm comm);

/// Whether this rank is the root.
[[nodiscard]] bool at_root(int root, MPI_Comm comm);

/// A buffer of one share for each process.
/// @param displs  null: shares lie back to back
template <typename Count, typename Displacement>
[[nodiscard]] CallBuffer shares_of(const void* address, const Count* counts,
                                   const Displacement* displs, MPI_Datatype type, MPI_Comm comm) {
  int procs = 0;
  MPI_Comm_size(comm, &procs);
  CallBuffer buffer{.address = const_cast<void*>(address), .type = type};
  if (counts != nullptr) buffer.counts.assign(counts, counts + procs);
  if (displs != nullptr) buffer.displacements.assign(displs, displs + procs);
  return buffer;
}

/// Makes the send buffer the call's input, unless that lies in its output.
void take_input(MpiCall& call, const void* address, MPI_Count count, MPI_Datatype type);
/// Makes the receive buffer the call's output, unless that stays in its input.
void take_output(MpiCall& call, void* address, MPI_Count count, MPI_Datatype type);

template <typename Count, typename Displacement>
[[nodiscard]] MpiCall allgatherv_call(const void* sendbuf, MPI_Count sendcount,
                                      MPI_Datatype sendtype, void* recvbuf, const Count* recvcounts,
                                      const Displacement* displs, MPI_Datatype recvtype,
                                      MPI_Comm comm) {
  MpiCall call{.collective = Collective::allgatherv,
               .output = shares_of(recvbuf, recvcounts, displs, recvtype, comm),
               .comm = comm};
  take_input(call, sendbuf, sendcount, sendtype);
  return call;
}

template <typename Count, typename Displacement>
[[nodiscard]] MpiCall gatherv_call(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, const Count* recvcounts,
                                   const Displacement* displs, MPI_Datatype recvtype, int root,
                                   MPI_Comm comm) {
  MpiCall call{.collective = Collective::gatherv, .root = root, .comm = comm};
  if (at_root(root, comm)) call.output = shares_of(recvbuf, recvcounts, displs, recvtype, comm);
  take_input(call, sendbuf, sendcount, sendtype);
  return call;
}

template <typename Count>
[[nodiscard]] MpiCall reduce_scatter_call(const void* sendbuf, void* recvbuf,
                                          const Count* recvcounts, MPI_Datatype datatype, MPI_Op op,
                                          MPI_Comm comm) {
  const Count* const back_to_back = nullptr;
  MpiCall call{.collective = Collective::reduce_scatter,
               .output = shares_of(recvbuf, recvcounts, back_to_back, datatype, comm),
               .op = op,
               .comm = comm};
  take_input(call, sendbuf, 0, datatype);
  return call;
}

template <typename Count, typename Displacement>
[[nodiscard]] MpiCall scatterv_call(const void* sendbuf, const Count* sendcounts,
                                    const Displacement* displs, MPI_Datatype sendtype,
                                    void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                    int root, MPI_Comm comm) {
  MpiCall call{.collective = Collective::scatterv, .root = root, .comm = comm};
  if (at_root(root, comm)) call.input = shares_of(sendbuf, sendcounts, displs, sendtype, comm);
  take_output(call, recvbuf, recvcount, recvtype);
  return call;
}

}  // namespace breakeven::executor
