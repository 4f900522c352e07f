// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/tools_session.hpp"

namespace breakeven::worker {

// SMPI has no tools interface.
ToolsSession::ToolsSession() = default;
ToolsSession::~ToolsSession() = default;

}  // namespace breakeven::worker
