// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

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

/// Collective. The text of `source` on every rank; all others' texts are ignored.
[[nodiscard]] std::string broadcast(const std::string& text, Rank source, const Communicator& comm);

/// Collective. The texts of all ranks, in their order, on rank 0; nothing elsewhere.
[[nodiscard]] std::vector<std::string> gather(const std::string& text, const Communicator& comm);

/// Collective. Whether no lower rank gives the same name of its node.
[[nodiscard]] bool first_on_node(const std::string& node, const Communicator& comm);

/// Collective. The complaint of the lowest rank that has one, on every rank; nothing where none
/// has.
[[nodiscard]] std::optional<std::string> first_complaint(const std::optional<std::string>& own,
                                                         const Communicator& comm);

}  // namespace breakeven::executor
