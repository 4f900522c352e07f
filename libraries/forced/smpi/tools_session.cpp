// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/forced/tools_session.hpp"

namespace breakeven::forced {

// SMPI has no tools interface.
ToolsSession::ToolsSession() = default;
ToolsSession::~ToolsSession() = default;

}  // namespace breakeven::forced
