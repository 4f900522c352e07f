// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "core/collective.hpp"

namespace breakeven::executor {

/// A buffer as a call names it.
struct CallBuffer {
  void* address = nullptr;
  std::int64_t count = 0;                     ///< elements: the vector's, or of one share
  std::vector<std::int64_t> counts{};         ///< of each process's share, where they are given
  std::vector<std::int64_t> displacements{};  ///< of each share, in extents; empty: back to back
  MPI_Datatype type = MPI_DATATYPE_NULL;      ///< null: this rank has no such buffer

  [[nodiscard]] bool present() const { return type != MPI_DATATYPE_NULL; }
};

/// What the arguments of an MPI collective say at this rank, and nothing that they leave open: an
/// argument that MPI calls not significant here is not in it.
struct MpiCall {
  Collective collective = Collective::barrier;
  CallBuffer input{};
  CallBuffer output{};
  bool in_place = false;  ///< the buffer that is not present lies in the other one
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  MPI_Comm comm = MPI_COMM_NULL;

  /// The buffer that says what is moved: the whole vector, or one share of it.
  [[nodiscard]] const CallBuffer& described() const { return output.present() ? output : input; }
};

}  // namespace breakeven::executor
