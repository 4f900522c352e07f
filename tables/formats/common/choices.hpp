// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/formats/common/emitted.hpp"
#include "tables/table.hpp"

namespace breakeven::formats {

/// The same choice from a size on, up to the next one's.
struct SizeChoice {
  Bytes first{};
  tables::Choice choice{};
};

/// A table's choices for numbers of processes that share a part of a library's file.
struct ProcsChoices {
  int first = 1;
  int last = 1;
  int procs = 1;  ///< one of them, for which blocks become sizes of all blocks together
  std::vector<SizeChoice> sizes{};  ///< from 0 bytes on; neighbours differ
  bool begins_vary = false;  ///< some choice needs more bytes at its greatest p than at its least
  /// The choices that run at some of them only, whatever the size: those are left to the library.
  std::set<std::string> lost{};
};

/// By how much at most the number of processes of a part differs from `ProcsChoices::procs`, so
/// what a size of all blocks together differs by, and where a choice begins that needs an element
/// for each process. None does at a p that was measured.
inline constexpr double kProcsError = std::numbers::sqrt2;

/// The choices of `Table::choose` for calls of a collective under a mapping between the least and
/// the greatest p measured, for libraries, which know no neighbours by ratio: the numbers of
/// processes nearest to a measured one are cut by ratio, and where some algorithm needs a power of
/// two. Within a rule an algorithm may begin or cease to run as it is named: such sizes are found
/// by bisection. Empty where nothing but native is chosen.
/// @param guards  whether the file asks for the sizes at which an algorithm runs; none if not given
[[nodiscard]] std::vector<ProcsChoices> choices_of(
    const tables::Table& table, Collective collective, CallForm form, const Mapping& mapping,
    bool (*guards)(const libraries::LibraryAlgorithm& algorithm) = nullptr);

/// For the head of a file: how its answers differ from the table's for these collectives, and the
/// cost of that; no lines for none.
[[nodiscard]] std::vector<std::string> approximate_lines(const tables::Table& table,
                                                         const std::set<Collective>& collectives);

/// "openmpi:allgather/neighbor: left to the library at p = 5 to 7, where ...", by choice.
[[nodiscard]] std::vector<std::string> lost_lines(std::string_view call,
                                                  const std::vector<ProcsChoices>& all);

/// The choices that a variable can name: of calls for which all rules have the same one, which is
/// not native.
/// @param degraded  takes a line for calls with several choices
[[nodiscard]] std::vector<Case> single_choices(const tables::Table& table,
                                               std::vector<std::string>& degraded);

/// "bcast p = 2, mapping seq, at 8 B: mpich:binomial"
[[nodiscard]] std::string choice_at(const Case& choice);

/// A table as a library's files contain it.
struct ContainedTable {
  tables::Table table;                 ///< the default stands where no file makes a rule's choice
  std::vector<std::string> missing{};  ///< those choices, by choice_at
};

/// @param files  of one library, without faults; empty: they are taken to contain all
[[nodiscard]] ContainedTable contained_in(std::span<const ReadTable> files, tables::Table table);

}  // namespace breakeven::formats
