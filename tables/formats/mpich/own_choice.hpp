// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "core/case.hpp"
#include "core/launch.hpp"
#include "core/library_capabilities.hpp"
#include "tables/formats/mpich/names.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

/// The choice of MPICH itself, derived from the trees that are built into it.
class OwnChoice {
 public:
  /// Of other libraries, other versions, and where variables of MPICH are set, no choice is known.
  OwnChoice(const Machine& machine, const LibraryCapabilities& capabilities);

  /// The algorithm, or the composition of several calls on parts of the communicator, that native
  /// is for a problem with separate buffers and an operation of MPI's own.
  /// @return nothing where it is not known: see the constructor; of calls that are not blocking
  [[nodiscard]] std::optional<LibraryOwn> choose(const Case& problem) const;

 private:
  std::optional<Series> series_{};
  bool shares_memory_ = true;
  Chain device_{};
  Chain mpir_{};
};

}  // namespace breakeven::formats::mpich
