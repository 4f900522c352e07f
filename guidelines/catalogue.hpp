// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>

#include "guidelines/guideline.hpp"

namespace breakeven {

/// The source of guidelines (2) to (5). Its (6), of a reduce and an irregular reduce-scatter, is
/// not implemented.
inline constexpr std::string_view kCirculantPaper =
    "Träff, Hunold, Vardas, Funk 2023 [traff2023], section IV-C";

extern const Guideline reduce_scatter_block_as_allreduce;
extern const Guideline reduce_scatter_block_as_reduce_then_scatter;
extern const Guideline allreduce_as_reduce_scatter_block_then_allgather;
extern const Guideline reduce_as_allreduce;

/// All guidelines, in the order of their numbers.
inline constexpr std::array kGuidelines{
    &reduce_scatter_block_as_allreduce, &reduce_scatter_block_as_reduce_then_scatter,
    &allreduce_as_reduce_scatter_block_then_allgather, &reduce_as_allreduce};

/// By name or number.
/// @throws UsageError naming the known guidelines when `name` is not one of them.
[[nodiscard]] const Guideline& find_guideline(std::string_view name);

}  // namespace breakeven
