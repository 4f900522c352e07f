// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven::libraries {

/// The values of one of MPICH's control variables that are words, in the order of their numbers,
/// from 0 on: MPI_T tells neither names nor numbers, but the variable's description lists them,
/// each before " - ", joined to what precedes it. A word that is none of `known` is empty: it
/// has a number, but nobody knows its name.
[[nodiscard]] std::vector<std::string> mpich_choices(std::string_view description,
                                                     std::span<const std::string_view> known);

/// How many numbers from 1 on the description of a control variable lists, each before " " and its
/// meaning, joined to the text that precedes it; behind "0 Auto".
[[nodiscard]] std::size_t mpich_numbers(std::string_view description);

}  // namespace breakeven::libraries
