// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/forced/tools_session.hpp"

#include <mpi.h>

namespace breakeven::forced {

ToolsSession::ToolsSession() {
  int provided = 0;
  open_ = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
}

ToolsSession::~ToolsSession() {
  if (open_) MPI_T_finalize();
}

}  // namespace breakeven::forced
