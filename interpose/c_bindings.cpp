// SPDX-License-Identifier: BSD-3-Clause
// The functions of MPI's C interface that a program finds here before the library's.
#include <mpi.h>

#include "executor/mpi_call.hpp"
#include "interpose/intercept.hpp"
#include "interpose/job.hpp"
#include "interpose/notify.hpp"

// The library's own function has the default visibility and a prototype that this one must match.
#define EXPORTED extern "C" [[gnu::visibility("default")]]

namespace interpose = breakeven::interpose;
using breakeven::Collective;
using namespace breakeven::executor;

EXPORTED int MPI_Init(int* argc, char*** argv) {
  const interpose::Verdict verdict = interpose::answer_roll_call();
  const int status = PMPI_Init(argc, argv);
  if (status == MPI_SUCCESS) interpose::begin_job(verdict);
  return status;
}

EXPORTED int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const interpose::Verdict verdict = interpose::answer_roll_call();
  const int status = PMPI_Init_thread(argc, argv, required, provided);
  if (status == MPI_SUCCESS) interpose::begin_job(verdict);
  return status;
}

#define REPLACED(function, collective, parameters, arguments)                      \
  EXPORTED int function parameters {                                               \
    return interpose::intercept(                                                   \
        Collective::collective, comm, [&] { return collective##_call arguments; }, \
        [&] { return P##function arguments; });                                    \
  }

REPLACED(MPI_Barrier, barrier, (MPI_Comm comm), (comm))

namespace counts_of_int {
using Count = int;
using Counts = const int*;
using Displacements = const int*;
#define WRAPPER(NAME, ...) REPLACED(MPI_##NAME, __VA_ARGS__)
#include "interpose/wrappers.inc"
#undef WRAPPER
}  // namespace counts_of_int

#if MPI_VERSION >= 4
namespace counts_of_mpi_count {
using Count = MPI_Count;
using Counts = const MPI_Count*;
using Displacements = const MPI_Aint*;
#define WRAPPER(NAME, ...) REPLACED(MPI_##NAME##_c, __VA_ARGS__)
#include "interpose/wrappers.inc"
}  // namespace counts_of_mpi_count
#endif

#define MADE(function, parameters, arguments)                                  \
  EXPORTED int function parameters {                                           \
    return interpose::make(comm, made, [&] { return P##function arguments; }); \
  }
MADE(MPI_Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made))
MADE(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made))
MADE(MPI_Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made), (comm, info, made))
MADE(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))
MADE(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
     (comm, type, key, info, made))
MADE(MPI_Cart_create,
     (MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm* made),
     (comm, ndims, dims, periods, reorder, made))
MADE(MPI_Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm* made), (comm, remain, made))
