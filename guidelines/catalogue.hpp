// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.hpp"
#include "guidelines/comparison.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::guidelines {

/// Guidelines of one kind: all collectives have each but the first.
enum class Family : std::uint8_t {
  mock_up,
  own_algorithm,
  overlap,
  larger_size,
  parts,
  more_procs,
  baseline
};
inline constexpr Names<Family, 7> kFamilies{"family",
                                            {{{Family::mock_up, "mock_ups"},
                                              {Family::own_algorithm, "own_algorithms"},
                                              {Family::overlap, "overlap"},
                                              {Family::larger_size, "monotony_in_size"},
                                              {Family::parts, "split_robustness"},
                                              {Family::more_procs, "monotony_in_procs"},
                                              {Family::baseline, "baseline"}}}};

/// All guidelines, by family and collective.
[[nodiscard]] const std::vector<Guideline>& catalogue();

[[nodiscard]] const Guideline& guideline_of(const mock_ups::MockUp& mock_up);
[[nodiscard]] const Guideline& guideline_of(Family family, Collective collective);

/// The guidelines of a word: the name of a guideline, a family or a collective.
/// @throws UsageError naming what is known when it means none.
[[nodiscard]] std::vector<const Guideline*> find_guidelines(std::string_view word);

}  // namespace breakeven::guidelines
