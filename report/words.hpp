// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "stats/belief.hpp"

namespace breakeven::report {

/// "MPICH" of "mpich"; the name of another machine.
[[nodiscard]] std::string_view library_in_words(std::string_view library);

/// "ring" of "ring:segments=4".
[[nodiscard]] std::string_view without_params(std::string_view variant);

/// What people read in the place of an algorithm with its parameters: "recursive doubling",
/// "MPICH ring, segments=4", "library's default".
[[nodiscard]] std::string display_name(std::string_view variant);

/// A letter of each word, "RD" for recursive_doubling, two of a single one, "Ri" for ring; more
/// where names would read alike but for case. "Ri°" of what the library does. By variant.
[[nodiscard]] std::map<std::string, std::string> abbreviations(
    const std::vector<std::string>& variants);

/// The number of the family that an algorithm belongs to by its name: of the colours in page.css. 0
/// is the library's default.
[[nodiscard]] int family_of(std::string_view variant);

/// For a text or an attribute of HTML.
[[nodiscard]] std::string escaped(std::string_view text);

/// Four significant digits: all that is drawn.
[[nodiscard]] double rounded(double value);

/// "1.31 (1.22 to 1.40)"
[[nodiscard]] std::string interval_text(const stats::RatioInterval& interval);

}  // namespace breakeven::report
