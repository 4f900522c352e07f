// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>

#include "executor/memory.hpp"

namespace breakeven::executor {

/// How often a communicator or datatype that was seen here was freed. While the number stays the
/// same, an equal handle is the same object.
[[nodiscard]] inline std::atomic<std::uint64_t>& freed_handles() {
  static constinit std::atomic<std::uint64_t> freed{0};
  return freed;
}

/// How the elements of a datatype lie in memory. A datatype without data is contiguous; so is a
/// derived one whose data has no gaps and is in order, unless an element is larger than 4 MiB,
/// where little can be gained.
/// @param comm  its error handler gets MPI's error for a datatype that is not committed
[[nodiscard]] Layout layout_of(MPI_Datatype type, MPI_Comm comm);

/// The bytes of data in an element.
[[nodiscard]] std::int64_t size_of(MPI_Datatype type);

/// Whether it is one of MPI's own, known here or not.
[[nodiscard]] bool predefined(MPI_Datatype type);

/// A number that tells the datatype from all others of this process, also from a freed one that had
/// the same handle. It is attached to the datatype when it is first seen; from then on
/// freed_handles() counts its end.
[[nodiscard]] std::int64_t identity_of(MPI_Datatype type);

}  // namespace breakeven::executor
