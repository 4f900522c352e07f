// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace breakeven {

/// "; did you mean 'ring'?" where the word is a known one but for a slip: a wrong, missing or
/// swapped letter (one in three at most), another case, its beginning alone, MPI_ before it, or no
/// COLLECTIVE/. Of several candidates the nearest, up to three; empty where there are more or none.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string_view>& known);

/// "no format 'txt'; did you mean 'text'? known: text json"
[[nodiscard]] std::string unknown(std::string_view kind, std::string_view word,
                                  const std::vector<std::string_view>& known);

}  // namespace breakeven
