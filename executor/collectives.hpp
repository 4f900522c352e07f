// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "executor/chosen_variant.hpp"

namespace breakeven::executor {

/// MPI's collectives with an algorithm of ours: the arguments are those of the MPI function of the
/// same name, MPI_IN_PLACE and the null handles of arguments that are not significant included, but
/// counts may be beyond an int. What is thrown is what run_call() throws.

void allgather(const ChosenVariant& choice, const void* sendbuf, MPI_Count sendcount,
               MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
               MPI_Comm comm);
void allgatherv(const ChosenVariant& choice, const void* sendbuf, MPI_Count sendcount,
                MPI_Datatype sendtype, void* recvbuf, const int* recvcounts, const int* displs,
                MPI_Datatype recvtype, MPI_Comm comm);
void allreduce(const ChosenVariant& choice, const void* sendbuf, void* recvbuf, MPI_Count count,
               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
void barrier(const ChosenVariant& choice, MPI_Comm comm);
void bcast(const ChosenVariant& choice, void* buffer, MPI_Count count, MPI_Datatype datatype,
           int root, MPI_Comm comm);
void gather(const ChosenVariant& choice, const void* sendbuf, MPI_Count sendcount,
            MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
            int root, MPI_Comm comm);
void gatherv(const ChosenVariant& choice, const void* sendbuf, MPI_Count sendcount,
             MPI_Datatype sendtype, void* recvbuf, const int* recvcounts, const int* displs,
             MPI_Datatype recvtype, int root, MPI_Comm comm);
void reduce(const ChosenVariant& choice, const void* sendbuf, void* recvbuf, MPI_Count count,
            MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);
void reduce_scatter(const ChosenVariant& choice, const void* sendbuf, void* recvbuf,
                    const int* recvcounts, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
void reduce_scatter_block(const ChosenVariant& choice, const void* sendbuf, void* recvbuf,
                          MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
void scatter(const ChosenVariant& choice, const void* sendbuf, MPI_Count sendcount,
             MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
             int root, MPI_Comm comm);
void scatterv(const ChosenVariant& choice, const void* sendbuf, const int* sendcounts,
              const int* displs, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
              MPI_Datatype recvtype, int root, MPI_Comm comm);

}  // namespace breakeven::executor
