// SPDX-License-Identifier: BSD-3-Clause
#include "executor/collectives.hpp"

#include "executor/mpi_error.hpp"
#include "executor/run_call.hpp"

namespace breakeven::executor {

namespace {

CallBuffer buffer_of(const void* address, MPI_Count count, MPI_Datatype type) {
  return {.address = const_cast<void*>(address), .count = count, .type = type};
}

CallBuffer shares_of(const void* address, const int* counts, const int* displacements,
                     MPI_Datatype type, MPI_Comm comm) {
  int procs = 0;
  check_mpi(MPI_Comm_size(comm, &procs), "MPI_Comm_size");
  const auto n = static_cast<std::size_t>(procs);
  CallBuffer buffer = buffer_of(address, 0, type);
  buffer.counts = {counts, n};
  if (displacements != nullptr) buffer.displacements = {displacements, n};
  return buffer;
}

/// Makes the send buffer the call's input, unless that lies in its output.
void take_input(MpiCall& call, const CallBuffer& send) {
  call.in_place = send.address == MPI_IN_PLACE;
  if (!call.in_place) call.input = send;
}

/// Makes the receive buffer the call's output, unless that stays in its input.
void take_output(MpiCall& call, const CallBuffer& recv) {
  call.in_place = recv.address == MPI_IN_PLACE;
  if (!call.in_place) call.output = recv;
}

bool at_root(const MpiCall& call) {
  int me = 0;
  check_mpi(MPI_Comm_rank(call.comm, &me), "MPI_Comm_rank");
  return me == call.root;
}

}  // namespace

void allgather(const ChosenVariant& choice, const void* sendbuf, MPI_Count sendcount,
               MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
               MPI_Comm comm) {
  MpiCall call{.collective = Collective::allgather,
               .output = buffer_of(recvbuf, recvcount, recvtype),
               .comm = comm};
  take_input(call, buffer_of(sendbuf, sendcount, sendtype));
  run_call(choice, call);
}

void allgatherv(const ChosenVariant& choice, const void* sendbuf, MPI_Count sendcount,
                MPI_Datatype sendtype, void* recvbuf, const int* recvcounts, const int* displs,
                MPI_Datatype recvtype, MPI_Comm comm) {
  MpiCall call{.collective = Collective::allgatherv,
               .output = shares_of(recvbuf, recvcounts, displs, recvtype, comm),
               .comm = comm};
  take_input(call, buffer_of(sendbuf, sendcount, sendtype));
  run_call(choice, call);
}

void allreduce(const ChosenVariant& choice, const void* sendbuf, void* recvbuf, MPI_Count count,
               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  MpiCall call{.collective = Collective::allreduce,
               .output = buffer_of(recvbuf, count, datatype),
               .op = op,
               .comm = comm};
  take_input(call, buffer_of(sendbuf, count, datatype));
  run_call(choice, call);
}

void barrier(const ChosenVariant& choice, MPI_Comm comm) {
  run_call(choice, {.collective = Collective::barrier, .comm = comm});
}

void bcast(const ChosenVariant& choice, void* buffer, MPI_Count count, MPI_Datatype datatype,
           int root, MPI_Comm comm) {
  run_call(choice, {.collective = Collective::bcast,
                    .output = buffer_of(buffer, count, datatype),
                    .in_place = true,
                    .root = root,
                    .comm = comm});
}

void gather(const ChosenVariant& choice, const void* sendbuf, MPI_Count sendcount,
            MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
            int root, MPI_Comm comm) {
  MpiCall call{.collective = Collective::gather, .root = root, .comm = comm};
  if (at_root(call)) call.output = buffer_of(recvbuf, recvcount, recvtype);
  take_input(call, buffer_of(sendbuf, sendcount, sendtype));
  run_call(choice, call);
}

void gatherv(const ChosenVariant& choice, const void* sendbuf, MPI_Count sendcount,
             MPI_Datatype sendtype, void* recvbuf, const int* recvcounts, const int* displs,
             MPI_Datatype recvtype, int root, MPI_Comm comm) {
  MpiCall call{.collective = Collective::gatherv, .root = root, .comm = comm};
  if (at_root(call)) call.output = shares_of(recvbuf, recvcounts, displs, recvtype, comm);
  take_input(call, buffer_of(sendbuf, sendcount, sendtype));
  run_call(choice, call);
}

void reduce(const ChosenVariant& choice, const void* sendbuf, void* recvbuf, MPI_Count count,
            MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  MpiCall call{.collective = Collective::reduce, .op = op, .root = root, .comm = comm};
  if (at_root(call)) call.output = buffer_of(recvbuf, count, datatype);
  take_input(call, buffer_of(sendbuf, count, datatype));
  run_call(choice, call);
}

void reduce_scatter(const ChosenVariant& choice, const void* sendbuf, void* recvbuf,
                    const int* recvcounts, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  MpiCall call{.collective = Collective::reduce_scatter,
               .output = shares_of(recvbuf, recvcounts, nullptr, datatype, comm),
               .op = op,
               .comm = comm};
  take_input(call, buffer_of(sendbuf, 0, datatype));
  run_call(choice, call);
}

void reduce_scatter_block(const ChosenVariant& choice, const void* sendbuf, void* recvbuf,
                          MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  MpiCall call{.collective = Collective::reduce_scatter_block,
               .output = buffer_of(recvbuf, recvcount, datatype),
               .op = op,
               .comm = comm};
  take_input(call, buffer_of(sendbuf, recvcount, datatype));
  run_call(choice, call);
}

void scatter(const ChosenVariant& choice, const void* sendbuf, MPI_Count sendcount,
             MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
             int root, MPI_Comm comm) {
  MpiCall call{.collective = Collective::scatter, .root = root, .comm = comm};
  if (at_root(call)) call.input = buffer_of(sendbuf, sendcount, sendtype);
  take_output(call, buffer_of(recvbuf, recvcount, recvtype));
  run_call(choice, call);
}

void scatterv(const ChosenVariant& choice, const void* sendbuf, const int* sendcounts,
              const int* displs, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
              MPI_Datatype recvtype, int root, MPI_Comm comm) {
  MpiCall call{.collective = Collective::scatterv, .root = root, .comm = comm};
  if (at_root(call)) call.input = shares_of(sendbuf, sendcounts, displs, sendtype, comm);
  take_output(call, buffer_of(recvbuf, recvcount, recvtype));
  run_call(choice, call);
}

}  // namespace breakeven::executor
