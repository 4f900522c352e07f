// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "core/datatype.hpp"
#include "core/op.hpp"

// Open MPI 5 has the persistent collectives of MPI 4, and says that it is MPI 3.1.
#if MPI_VERSION >= 4 || (defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5)
#define BREAKEVEN_HAS_PERSISTENT 1
#else
#define BREAKEVEN_HAS_PERSISTENT 0
#endif

namespace breakeven::executor {

/// Our datatypes and operations as this MPI library's, and back; and the library's version. None of
/// these is collective. Handles are known between MPI_Init and MPI_Finalize.

/// @throws UsageError where the library lacks the datatype or gives it another extent: those of
///         Fortran and C++ are optional, and a Fortran compiler's options may change their size.
[[nodiscard]] MPI_Datatype mpi_datatype(Datatype datatype);

/// MPI_OP_NULL for Op::none.
[[nodiscard]] MPI_Op mpi_op(Op op);

/// Empty for a derived datatype, for one that Breakeven doesn't know, and where the library's
/// extent is another. Where a library uses one handle under several names, the first of them in
/// Datatype.
[[nodiscard]] std::optional<Datatype> datatype_of(MPI_Datatype handle);

/// Empty for a user's operation, MPI_REPLACE, MPI_NO_OP and MPI_OP_NULL.
[[nodiscard]] std::optional<Op> op_of(MPI_Op handle);

/// MPI_Get_library_version, whole.
[[nodiscard]] std::string library_version();

/// Its first line, single-spaced: the version in databases and tables.
[[nodiscard]] std::string library_version_line();

}  // namespace breakeven::executor
