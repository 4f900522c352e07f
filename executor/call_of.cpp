// SPDX-License-Identifier: BSD-3-Clause
#include "executor/call_of.hpp"

#include "executor/mpi_error.hpp"

namespace breakeven::executor {

namespace {

CallBuffer buffer_of(const void* address, MPI_Count count, MPI_Datatype type) {
  return {.address = const_cast<void*>(address), .count = count, .type = type};
}

}  // namespace

bool at_root(int root, MPI_Comm comm) {
  int me = 0;
  check_mpi(MPI_Comm_rank(comm, &me), "MPI_Comm_rank");
  return me == root;
}

void take_input(MpiCall& call, const void* address, MPI_Count count, MPI_Datatype type) {
  call.in_place = address == MPI_IN_PLACE;
  if (!call.in_place) call.input = buffer_of(address, count, type);
}

void take_output(MpiCall& call, void* address, MPI_Count count, MPI_Datatype type) {
  call.in_place = address == MPI_IN_PLACE;
  if (!call.in_place) call.output = buffer_of(address, count, type);
}

MpiCall allgather_call(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  MpiCall call{.collective = Collective::allgather,
               .output = buffer_of(recvbuf, recvcount, recvtype),
               .comm = comm};
  take_input(call, sendbuf, sendcount, sendtype);
  return call;
}

MpiCall allreduce_call(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Op op, MPI_Comm comm) {
  MpiCall call{.collective = Collective::allreduce,
               .output = buffer_of(recvbuf, count, datatype),
               .op = op,
               .comm = comm};
  take_input(call, sendbuf, count, datatype);
  return call;
}

MpiCall barrier_call(MPI_Comm comm) { return {.collective = Collective::barrier, .comm = comm}; }

MpiCall bcast_call(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return {.collective = Collective::bcast,
          .output = buffer_of(buffer, count, datatype),
          .in_place = true,
          .root = root,
          .comm = comm};
}

MpiCall gather_call(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  MpiCall call{.collective = Collective::gather, .root = root, .comm = comm};
  if (at_root(root, comm)) call.output = buffer_of(recvbuf, recvcount, recvtype);
  take_input(call, sendbuf, sendcount, sendtype);
  return call;
}

MpiCall reduce_call(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                    MPI_Op op, int root, MPI_Comm comm) {
  MpiCall call{.collective = Collective::reduce, .op = op, .root = root, .comm = comm};
  if (at_root(root, comm)) call.output = buffer_of(recvbuf, count, datatype);
  take_input(call, sendbuf, count, datatype);
  return call;
}

MpiCall reduce_scatter_block_call(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  MpiCall call{.collective = Collective::reduce_scatter_block,
               .output = buffer_of(recvbuf, recvcount, datatype),
               .op = op,
               .comm = comm};
  take_input(call, sendbuf, recvcount, datatype);
  return call;
}

MpiCall scatter_call(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  MpiCall call{.collective = Collective::scatter, .root = root, .comm = comm};
  if (at_root(root, comm)) call.input = buffer_of(sendbuf, sendcount, sendtype);
  take_output(call, recvbuf, recvcount, recvtype);
  return call;
}

}  // namespace breakeven::executor
