// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "tables/formats/common/emitted.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats {

/// One form of a table that a program reads; the form for people is tuner/readable.hpp.
struct Emitter {
  std::string_view name;
  std::string_view file_name;     ///< the file's name unless the user gives another
  tables::Candidates candidates;  ///< of the tables that it takes
  std::string_view library;       ///< "openmpi": whose machine the table has to be of; empty: any
  /// @throws UsageError where the format can't be made from this table at all.
  Emitted (*emit)(const tables::Table& table, const tables::Provenance& provenance);
  /// Never throws for the file's content: it returns faults instead.
  ReadTable (*read)(std::string_view text);
  /// Whether a text looks like one of this form, however broken.
  bool (*recognises)(std::string_view text);
};

/// All of them; the first one that recognises a text reads it.
[[nodiscard]] std::span<const Emitter> emitters();

/// A file that its own reader finds no fault in.
struct FaultlessFile : Emitted {
  ReadTable read{};
};

/// The emitter's file of the table: nobody gets a file with faults.
/// @throws UsageError where the format can't be made from this table.
/// @throws Error naming the first fault.
[[nodiscard]] FaultlessFile emit_faultless(const Emitter& emitter, const tables::Table& table,
                                           const tables::Provenance& provenance);

/// @throws UsageError naming the known emitters when `name` is not one of them.
[[nodiscard]] const Emitter& find_emitter(std::string_view name);

}  // namespace breakeven::formats
