// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace breakeven::spy {

/// Whether this process has a spy: see make_spy.py.
[[nodiscard]] bool is_here();

/// How often a function of the MPI library ran here since the last reset; -1 where it isn't
/// counted.
[[nodiscard]] long count(const char* function);
void reset();

}  // namespace breakeven::spy
