// SPDX-License-Identifier: BSD-3-Clause
// The functions of MPI's C interface that a program finds here before the library's.
#include <mpi.h>

#include "executor/call_of.hpp"
#include "interpose/intercept.hpp"
#include "interpose/job.hpp"

// The library's own function has the default visibility and a prototype that this one must match.
#define EXPORTED extern "C" [[gnu::visibility("default")]]

namespace interpose = breakeven::interpose;
using breakeven::Collective;
using namespace breakeven::executor;

EXPORTED int MPI_Init(int* argc, char*** argv) {
  const int status = PMPI_Init(argc, argv);
  if (status == MPI_SUCCESS) interpose::begin_job();
  return status;
}

EXPORTED int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int status = PMPI_Init_thread(argc, argv, required, provided);
  if (status == MPI_SUCCESS) interpose::begin_job();
  return status;
}

#define ARGUMENTS(...) __VA_ARGS__
#define WRAPPER(NAME, collective, parameters, arguments)                           \
  EXPORTED int MPI_##NAME parameters {                                             \
    return interpose::intercept(                                                   \
        Collective::collective, comm, [&] { return collective##_call arguments; }, \
        [&] { return PMPI_##NAME arguments; }, ARGUMENTS arguments);               \
  }

WRAPPER(Barrier, barrier, (MPI_Comm comm), (comm))

using Count = int;
using Counts = const int*;
using Displacements = const int*;
#include "interpose/wrappers.inc"
