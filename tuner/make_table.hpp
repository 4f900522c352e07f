// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/case.hpp"
#include "libraries/library_algorithm.hpp"
#include "tables/table.hpp"
#include "tuner/decision.hpp"

namespace breakeven::tuner {

/// Selects the measurements for a table; what is not given must be the same in all of them.
struct TableKey {
  tables::Candidates candidates = tables::Candidates::all;
  std::optional<Datatype> datatype{};
  std::optional<Op> op{};               ///< of the collectives that reduce
  std::optional<Rank> root{};           ///< of the rooted collectives
  std::optional<int> procs_per_node{};  ///< all unless said
  std::optional<Mapping> mapping{};     ///< all unless said: formats of libraries know one
  /// Of the library's own algorithms that harm some legal programs when a table chooses them
  /// (`unguarded`), those that a table for the library may choose all the same.
  libraries::AlgorithmNames allowed_unsafe{};
  FixedChoices fixed{};
  ProgramTime program_time{};  ///< that weighs the choices; none unless given
};

/// The choices for a table of these measurements.
[[nodiscard]] std::vector<Decision> decide(std::span<const Measurement> selected,
                                           const TableKey& which);

/// Whether a table of this kind may choose the case's algorithm.
[[nodiscard]] bool is_candidate(tables::Candidates of, const Case& what);

/// The measurements of what a table can choose: for programs of blocking calls, without the
/// mock-ups that none can be given; for a library also of nonblocking ones, without its unsafe
/// algorithms.
[[nodiscard]] std::vector<Measurement> choosable(std::span<const Measurement> measurements,
                                                 tables::Candidates by = tables::Candidates::all);

/// The measurements that a table may be made from.
/// @throws UsageError as `make_table` does, unless they all fit into one table.
[[nodiscard]] std::vector<Measurement> select(std::span<const Measurement> measurements,
                                              const TableKey& which);

/// Consecutive sizes with the same choice become one rule, beginning at the break-even point. A
/// table for a library has one layout at each p: see by_procs.
///
/// @throws UsageError listing what there is when `which` matches nothing, or leaves several data
///         types, operations or roots; when a chosen algorithm is
///         neither this program's nor a library's; when none was measured with all counts; or
///         naming a measurement that can't be one (no processes, a median of 0).
[[nodiscard]] tables::Table make_table(std::span<const Measurement> measurements,
                                       const TableKey& which = {});
/// The same where it is decided already.
/// @param selected  what `select` gave, and `decisions` of these
[[nodiscard]] tables::Table make_table(std::span<const Measurement> selected,
                                       std::span<const Decision> decisions,
                                       tables::Candidates candidates);

}  // namespace breakeven::tuner
