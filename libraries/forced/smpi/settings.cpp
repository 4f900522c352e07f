// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/forced/settings.hpp"

namespace breakeven::forced {

// A simulated library is set by its platform file alone, which is its machine.
LibrarySettings settings_in_force() { return {}; }

}  // namespace breakeven::forced
