// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace breakeven::cli {

/// Runs a Python script with these arguments and prints what it prints.
/// @param script  its path under scripts/
/// @param input   what it reads on standard input
/// @throws UsageError with its last words when it refuses (exit status 2), Error when it fails.
void run_script(std::string_view script, const std::vector<std::string>& arguments,
                std::string_view input = "");

}  // namespace breakeven::cli
