// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

namespace breakeven::worker::spy {

/// Whether this process has a spy: see make_spy.py.
[[nodiscard]] bool is_here();

/// How often a function of the MPI library ran here since the last reset; -1 where it isn't
/// counted.
[[nodiscard]] long count(const char* function);
void reset();

/// An argument of the function's last call: the seventh, which is the first on the stack, is 0.
[[nodiscard]] long argument(const char* function, int number);

struct Call {
  std::string_view function;
  int communicator = 0;  ///< its handle, which in MPICH is an MPI_Comm
};
/// The calls since the last reset, in their order, of those MPICH functions whose communicator is
/// known; the first few hundred. A function's own calls come behind it.
[[nodiscard]] std::vector<Call> calls();

}  // namespace breakeven::worker::spy
