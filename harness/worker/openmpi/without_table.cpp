// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/without_table.hpp"

#include "harness/worker/openmpi/tuned_variable.hpp"

namespace breakeven {

std::unique_ptr<Communicator> duplicate_without_table(MPI_Comm comm) {
  const openmpi::Override fixed_decisions{"use_dynamic_rules", 0};
  return std::make_unique<Communicator>(comm);
}

}  // namespace breakeven
