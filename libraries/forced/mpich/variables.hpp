// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"

namespace breakeven::forced::mpich {

/// The library's own choice, as the variables call it.
inline constexpr std::string_view kAuto = "auto";

/// "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"; "MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM" of calls that are
/// not blocking.
[[nodiscard]] std::string algorithm_variable(Collective collective,
                                             CallForm form = CallForm::blocking);
/// "MPIR_CVAR_ALLREDUCE_COMPOSITION".
[[nodiscard]] std::string composition_variable(Collective collective);

/// The algorithms that the variable can be set to, in the order of their numbers; empty texts for
/// those that neither this project nor a function of the library names. A ToolsSession is open.
[[nodiscard]] std::vector<std::string> algorithm_choices(Collective collective,
                                                         CallForm form = CallForm::blocking);

/// The compositions that the variable can be set to, from number 1 on; empty where this MPICH has
/// no such variable, as all before 4.1. A ToolsSession is open.
[[nodiscard]] std::vector<std::string> composition_choices(Collective collective);

/// The number of a variable's word, as "none" of MPIR_CVAR_DEVICE_COLLECTIVES.
/// @throws Error where the library has no such variable or word.
[[nodiscard]] int number_of(const std::string& variable, std::string_view word);

}  // namespace breakeven::forced::mpich
