// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/names.hpp"
#include "stats/median.hpp"
#include "tuner/decision.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::tuner {

/// The calls whose results have the same bits, at any size, mapping and rank.
enum class SameBits : std::uint8_t {
  each_procs,    ///< those of one p
  across_procs,  ///< those of all p, if further ranks contribute neutral elements
};
inline constexpr breakeven::Names<SameBits, 2> kSameBits{
    "scope of --reproducible",
    {{{SameBits::each_procs, "each-procs"}, {SameBits::across_procs, "across-procs"}}}};

/// The only choice for all sizes, p and mappings of a collective that reduces, and what it costs.
struct ReproducibleChoice {
  Collective collective = Collective::allreduce;
  Variant variant = Native{};        ///< native where no other could be chosen
  double mean_slowdown = 1;          ///< its time / that of the choice without the constraint:
  stats::Estimate worst_slowdown{};  ///< the geometric mean over all cells, and the greatest
  Case worst{};                      ///< where that is
};

/// The data for a reproducible table.
struct Reproducible {
  std::vector<ReproducibleChoice> choices{};
  /// Where the choice was measured under the name of an equal schedule, it has its own name here.
  std::vector<Measurement> measurements{};
};

/// Whether an algorithm of ours reduces every block in the same pairs, on every rank, in a scan on
/// each: then neither the rank, nor the element's place, nor the vector's length changes a result's
/// bits. Computed by the prover, for all roots; no where the case is a library's, can't run, or is
/// too large to be proven. Across p also: whether it has no parameters, and these pairs are those
/// of one tree for every p.
[[nodiscard]] bool is_reproducible(const Case& what, SameBits scope);

/// Of the algorithms with their parameters that were measured in every cell of a collective and are
/// reproducible in each, the one with the least geometric mean of times.
/// @throws UsageError as `make_table`
[[nodiscard]] Reproducible reproducible(std::span<const Measurement> measurements,
                                        const TableKey& which, SameBits scope);

/// The same choices for `TableKey`.
[[nodiscard]] FixedChoices fixed_by(std::span<const ReproducibleChoice> choices);

/// In words, a line each.
[[nodiscard]] std::vector<std::string> lines_of(std::span<const ReproducibleChoice> choices,
                                                SameBits scope);

}  // namespace breakeven::tuner
