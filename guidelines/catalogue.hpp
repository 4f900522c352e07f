// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"

namespace breakeven::guidelines {

/// A sound expectation on a collective: `left` takes no longer than `right`, one after the other,
/// for the same whole vector, because `right` can do its work.
struct Guideline {
  int number = 0;  ///< in its source
  std::string_view name;
  Collective left = Collective::allreduce;
  std::span<const Collective> right;
  std::string_view text;  ///< why it should hold
  std::string_view source;
};

/// Collectives in this order, as a guideline's right side.
template <Collective... Terms>
inline constexpr std::array<Collective, sizeof...(Terms)> kTerms{Terms...};

/// The left side's collective, then those of the right.
[[nodiscard]] std::vector<Collective> terms_of(const Guideline& guideline);

/// "reduce_scatter_block(m) <= reduce(m) + scatter(m)"
[[nodiscard]] std::string to_text(const Guideline& guideline);

/// States guidelines (2) to (6); (6), of a reduce and an irregular reduce-scatter, isn't here.
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

}  // namespace breakeven::guidelines
