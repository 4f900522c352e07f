// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>

#include "core/case.hpp"

namespace breakeven {

/// One of the library's own algorithms, made to run in the place of the library's choice. There is
/// one implementation for each library; several may live at a time, and be enforced in turn.
class ForcedAlgorithm {
 public:
  /// Collective over `comm`.
  /// @param what  a case whose algorithm is one of this library's own
  /// @throws UsageError when the library has no such algorithm, or would not run it as named.
  ForcedAlgorithm(const Case& what, MPI_Comm comm);
  /// Collective.
  ~ForcedAlgorithm();
  ForcedAlgorithm(const ForcedAlgorithm&) = delete;
  ForcedAlgorithm& operator=(const ForcedAlgorithm&) = delete;

  /// On which the collective has to be called.
  [[nodiscard]] MPI_Comm comm() const;

  /// While one lives, the algorithm runs; everything else that the library does may differ too, so
  /// it lives around what is measured and nothing more. Every rank makes it; not collective.
  class Enforced {
   public:
    /// @param forced  may be null: then there is nothing to enforce
    explicit Enforced(const ForcedAlgorithm* forced);
    ~Enforced();
    Enforced(const Enforced&) = delete;
    Enforced& operator=(const Enforced&) = delete;

   private:
    const ForcedAlgorithm* forced_;
  };

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace breakeven
