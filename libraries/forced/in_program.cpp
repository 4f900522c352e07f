// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <string>

#include "executor/communicator.hpp"
#include "executor/mpi_error.hpp"
#include "libraries/forced/forced_algorithm.hpp"
#include "libraries/forced/tools.hpp"

namespace breakeven::forced {

bool one_call_at_a_time(const executor::Communicator& comm) {
  int level = MPI_THREAD_MULTIPLE;
  executor::check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  std::optional<std::string> threads;
  if (level == MPI_THREAD_MULTIPLE) threads = "threads";
  return !first_complaint(threads, comm);
}

namespace {

/// Never closed: the program may need it to its end, see ToolsSession.
void open_tools() { [[maybe_unused]] static const auto& tools = *new ToolsSession; }

}  // namespace

LibrarySettings settings_in_program() {
  open_tools();
  return settings_in_force();
}

std::shared_ptr<const ForcedAlgorithm> force_in_program(const Case& what, MPI_Comm comm,
                                                        Unable unable) {
  open_tools();
  return std::make_shared<const ForcedAlgorithm>(what, comm, unable);
}

}  // namespace breakeven::forced
