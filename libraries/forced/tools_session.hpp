// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace breakeven::forced {

/// MPI's tools interface, open as long as this lives: from after MPI_Init to just before
/// MPI_Finalize. Open MPI 4.1 crashes when it is closed later, and MPICH frees texts that
/// collectives still use when it is closed earlier.
class ToolsSession {
 public:
  ToolsSession();
  ~ToolsSession();
  ToolsSession(const ToolsSession&) = delete;
  ToolsSession& operator=(const ToolsSession&) = delete;

 private:
  bool open_ = false;
};

}  // namespace breakeven::forced
