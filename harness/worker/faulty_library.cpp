// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

// An MPI library with two faults, for the test that the worker finds them: MPI's profiling
// interface lets a program replace each of MPI's functions.

namespace {

void spoil(void* result) { ++*static_cast<unsigned char*>(result); }

}  // namespace

extern "C" {

/// Always wrong, at rank 0.
int MPI_Scatter(const void* input, int input_count, MPI_Datatype input_type, void* output,
                int output_count, MPI_Datatype output_type, int root, MPI_Comm comm) {
  const int status =
      PMPI_Scatter(input, input_count, input_type, output, output_count, output_type, root, comm);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) spoil(output);
  return status;
}

/// Right at first; wrong from the fifth call on.
int MPI_Allgather(const void* input, int input_count, MPI_Datatype input_type, void* output,
                  int output_count, MPI_Datatype output_type, MPI_Comm comm) {
  static int calls = 0;
  const int status =
      PMPI_Allgather(input, input_count, input_type, output, output_count, output_type, comm);
  if (++calls >= 5) spoil(output);
  return status;
}

}  // extern "C"
