// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/without_table.hpp"

#include "core/error.hpp"

namespace breakeven {

std::unique_ptr<Communicator> duplicate_without_table(MPI_Comm /*comm*/) {
  throw UsageError(
      "MPICH reads a table when a job begins, for all of it: measure the default in another job");
}

}  // namespace breakeven
