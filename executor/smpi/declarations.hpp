// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Read before mpi_types.cpp: SimGrid 3.32 has these datatypes, but its header misspells their
// names. Where it doesn't, to declare them once more is harmless.

#include <mpi.h>

extern "C" {
extern SMPI_Datatype smpi_MPI_CXX_FLOAT_COMPLEX;
extern SMPI_Datatype smpi_MPI_CXX_DOUBLE_COMPLEX;
extern SMPI_Datatype smpi_MPI_CXX_LONG_DOUBLE_COMPLEX;
}
