// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/common/emitted.hpp"
#include "tuner/table.hpp"

namespace breakeven::formats {

/// The same choice from a size on, up to the next one's.
struct SizeChoice {
  Bytes first{};
  tuner::Choice choice{};
};

/// What a table says of one number of processes.
struct ProcsChoices {
  int procs = 1;
  std::vector<SizeChoice> sizes{};  ///< from 0 bytes on; neighbours differ
};

/// Every answer of `Table::choose` for a collective under a mapping, for libraries, which know no
/// neighbours by ratio: an entry for each p between the least and the greatest measured. Within a
/// rule an algorithm may begin or cease to run as it is named: such sizes are found by bisection.
/// Empty where nothing but native is chosen.
/// @throws UsageError above 16384 processes
[[nodiscard]] std::vector<ProcsChoices> choices_of(const tuner::Table& table, Collective collective,
                                                   const Mapping& mapping);

/// "bcast p = 2, mapping seq, at 8 B: mpich:binomial"
[[nodiscard]] std::string choice_at(const Case& problem, std::string_view choice);

/// A table as a library's files contain it.
struct ContainedTable {
  tuner::Table table;                  ///< the default stands where no file makes a rule's choice
  std::vector<std::string> missing{};  ///< those choices, by choice_at
};

/// @param files  of one library, without faults; empty: they are taken to contain all
[[nodiscard]] ContainedTable contained_in(std::span<const ReadTable> files, tuner::Table table);

}  // namespace breakeven::formats
