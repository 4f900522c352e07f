// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>

#include "api/breakeven/communicator.hpp"
#include "tests/legal_calls/memory.hpp"

namespace legal_calls {

struct Arguments {
  std::string collective{};  ///< "reduce_scatter"
  Side in{};
  Side out{};
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  MPI_Comm comm = MPI_COMM_NULL;
};

void blocking(const Arguments& with);
void nonblocking(const Arguments& with, MPI_Request* request);

/// MPI has persistent collectives from version 4 on.
[[nodiscard]] bool has_persistent();
void persistent(const Arguments& with, MPI_Request* request);

/// Collective. The call through the C++ library.
/// @throws std::runtime_error on all ranks where the algorithm can't perform it.
[[nodiscard]] breakeven::Bound bound(const breakeven::Communicator& comm, const Arguments& with,
                                     const std::string& algorithm);

}  // namespace legal_calls
