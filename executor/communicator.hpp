// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "core/units.hpp"

namespace breakeven::executor {

/// A duplicate of a communicator, whose messages never meet the parent's, freed at the end of its
/// scope. MPI errors on it are returned, so that check_mpi can throw them.
class Communicator {
 public:
  /// Collective over `parent`.
  explicit Communicator(MPI_Comm parent);
  /// The same without the parent's attributes, whose callbacks are the program's, and hints. Errors
  /// of MPI are thrown whatever the parent's error handler.
  enum class Without : bool { attributes };
  Communicator(MPI_Comm parent, Without);
  /// Collective.
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] MPI_Comm get() const { return comm_; }
  [[nodiscard]] int procs() const { return procs_; }
  [[nodiscard]] Rank me() const { return me_; }

 private:
  void set_up();

  MPI_Comm comm_ = MPI_COMM_NULL;
  int procs_ = 0;
  Rank me_;
};

}  // namespace breakeven::executor
