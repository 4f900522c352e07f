// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace breakeven::worker {

/// Ends every rank with this exit status, after one line on standard error, "PROGRAM: rank 3:
/// WORDS", written at once so that the lines of several ranks stay apart.
[[noreturn]] void abort_all(std::string_view program, std::string_view words, int status);

}  // namespace breakeven::worker
