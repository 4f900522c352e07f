// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/case.hpp"
#include "core/library_capabilities.hpp"

namespace breakeven {

/// What the library says that it has itself; empty where nobody can choose among it. A ToolsSession
/// is open.
/// @param nodes  of the job: on several, another component may stand before the one that is asked
[[nodiscard]] LibraryCapabilities library_capabilities(int nodes);

}  // namespace breakeven
