// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "executor/memory.hpp"

namespace breakeven::executor {

/// How the elements of a datatype lie in memory. A datatype without data is contiguous; so is a
/// derived one whose data has no gaps and is in order, unless an element is larger than 4 MiB:
/// what there is to gain is small beside it.
/// @param comm  whose error handler gets what MPI says of a datatype that is not committed
[[nodiscard]] Layout layout_of(MPI_Datatype type, MPI_Comm comm);

/// The bytes of data in an element.
[[nodiscard]] std::int64_t size_of(MPI_Datatype type);

/// Whether it is one of MPI's own, no matter whether we know it.
[[nodiscard]] bool predefined(MPI_Datatype type);

/// What tells the datatype from all others of this process, also from one that had the same handle
/// before and was freed: a number that is attached to it when it is first seen. From then on
/// freed_handles() counts its end.
[[nodiscard]] std::int64_t identity_of(MPI_Datatype type);

}  // namespace breakeven::executor
