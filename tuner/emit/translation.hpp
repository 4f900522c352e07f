// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/emit/areas.hpp"
#include "tuner/emit/emitted.hpp"
#include "tuner/emit/ranges.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// Tables for libraries that were not measured: algorithms translated by what they do.

/// What an algorithm does, whoever's it is: "rabenseifner" of halving_doubling,
/// openmpi:rabenseifner and mpich:reduce_scatter_allgather. Empty where no other library is known
/// to document it, or with parameters, which mean something else to each.
[[nodiscard]] std::string_view structure_of(const Case& choice);

/// What a library that was not measured calls a structure.
struct Equivalent {
  Collective collective;
  std::string_view structure;
  std::string_view name;
};

/// Whether these libraries have one algorithm of the collective for all message sizes.
[[nodiscard]] bool knows_no_size(Collective collective);

/// A library that was not measured, as its documentation has it.
struct OtherLibrary {
  std::string_view format;
  std::string_view name;    ///< "Intel MPI"
  std::string_view prefix;  ///< of its variants: "intel_mpi" of "intel_mpi:2"
  std::span<const Equivalent> equivalents;
  /// What it compares with message sizes.
  std::int64_t (*bytes)(const Case& what);
  /// Where names and units are documented, and how to apply and undo the settings, in lines.
  std::vector<std::string> (*directions)(const std::vector<CollectiveRanges>& ranges);
  /// What a shell reads: a setting for each collective, or one for all.
  std::vector<std::string> (*settings)(const std::vector<CollectiveRanges>& ranges);
  /// Takes settings apart again. @param first_line  of the text in its file
  std::vector<Area> (*read)(std::string_view text, int first_line,
                            std::vector<ReadTable::Fault>& faults);
};

/// The table as a shell fragment in the words of another library; what has no equivalent there is
/// left to it.
/// @throws UsageError as `ranges_of` does
[[nodiscard]] Emitted emit_translation(const Table& table, const Provenance& provenance,
                                       const OtherLibrary& library);

/// Answers with variants of the library's prefix: "intel_mpi:2".
[[nodiscard]] ReadTable read_translation(std::string_view text, const OtherLibrary& library);

}  // namespace breakeven
