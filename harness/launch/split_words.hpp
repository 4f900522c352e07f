// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace breakeven::launch {

/// Cuts a text into words as a shell does: at blanks, but not within '...' or "..." or after a
/// backslash. Nothing is expanded.
/// @throws UsageError naming the text when a quote is not closed.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

}  // namespace breakeven::launch
