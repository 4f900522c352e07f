// SPDX-License-Identifier: BSD-3-Clause
#include "executor/mpi_error.hpp"
#include "harness/worker/start/methods.hpp"

namespace breakeven {

namespace {

/// Begins where this rank leaves MPI_Barrier: what most benchmarks do, so that their figures can be
/// compared with.
class LibraryStart : public Start {
 public:
  explicit LibraryStart(const Communicator& comm) : comm_{comm} {}

  bool wait() override {
    check_mpi(MPI_Barrier(comm_.get()), "MPI_Barrier");
    return true;
  }

 private:
  const Communicator& comm_;
};

}  // namespace

std::unique_ptr<Start> library_start(const Communicator& comm) {
  return std::make_unique<LibraryStart>(comm);
}

}  // namespace breakeven
