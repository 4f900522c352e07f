// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>

#include "core/mapping.hpp"
#include "executor/mpi_call.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::interpose {

/// The algorithm that the library runs for a call of the program, derived beforehand.
struct DerivedAlgorithm {
  std::optional<LibraryOwn> algorithm{};  ///< nothing: not known
  bool of_exact_size = false;             ///< other sizes between the same powers of two run others
};

/// By MPICH's trees, variables and files: of separate buffers, operations and datatypes of MPI's
/// own, where they matter. Of other libraries nothing is derived.
/// @param shares_memory  the library does between processes of a node; equal in all calls
[[nodiscard]] DerivedAlgorithm derived_algorithm(const executor::MpiCall& call,
                                                 const NodeLayout& layout, bool shares_memory);

/// Observes the algorithm that the library runs for one call of this thread: of Open MPI, whose
/// algorithms are functions that other objects may replace. One lives at a time.
class Observation {
 public:
  Observation(Collective collective, MPI_Comm comm) noexcept;
  ~Observation();
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;

  /// The one that began last: others pass calls on that they can't perform. Null: none was seen.
  [[nodiscard]] const libraries::LibraryAlgorithm* algorithm() const noexcept;
};

}  // namespace breakeven::interpose
