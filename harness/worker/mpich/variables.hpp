// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"

namespace breakeven::mpich {

/// The library's own choice, as the variables call it.
inline constexpr std::string_view kAuto = "auto";

/// "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM".
[[nodiscard]] std::string algorithm_variable(Collective collective);

/// The algorithms that the variable can be set to, in the order of their numbers; empty texts for
/// those that aren't known here. A ToolsSession is open.
[[nodiscard]] std::vector<std::string> algorithm_choices(Collective collective);

/// The number of a variable's word, as "none" of MPIR_CVAR_DEVICE_COLLECTIVES.
/// @throws Error where the library has no such variable or word.
[[nodiscard]] int number_of(const std::string& variable, std::string_view word);

}  // namespace breakeven::mpich
