// SPDX-License-Identifier: BSD-3-Clause
// The same functions with counts of MPI_Count, of libraries that have them (MPI 4).
#include <mpi.h>

#include "executor/call_of.hpp"
#include "interpose/intercept.hpp"

#if MPI_VERSION >= 4

namespace interpose = breakeven::interpose;
using breakeven::Collective;
using namespace breakeven::executor;

#define ARGUMENTS(...) __VA_ARGS__
#define WRAPPER(NAME, collective, parameters, arguments)                           \
  extern "C" [[gnu::visibility("default")]] int MPI_##NAME##_c parameters {        \
    return interpose::intercept(                                                   \
        Collective::collective, comm, [&] { return collective##_call arguments; }, \
        [&] { return PMPI_##NAME##_c arguments; }, ARGUMENTS arguments);           \
  }

using Count = MPI_Count;
using Counts = const MPI_Count*;
using Displacements = const MPI_Aint*;
#include "interpose/wrappers.inc"

#endif
