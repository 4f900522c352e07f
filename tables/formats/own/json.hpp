// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "tables/formats/common/emitted.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats {

/// A table with its provenance, which a later command reads to edit it or to write it in another
/// format.
struct KeptTable {
  tables::Table table{};
  tables::Provenance provenance{};
};

/// All that is known of a table, as JSON: every field of every rule, each rule on a line of its
/// own. `read_kept_table` gives the same table and provenance again.
[[nodiscard]] std::string to_json(const KeptTable& kept);

/// A table of `to_json`, or the faults of the text: there is a table when there is no fault.
struct ReadKept {
  KeptTable kept{};
  std::vector<ReadTable::Fault> faults{};
  std::vector<int> lines{};  ///< of each rule
};
[[nodiscard]] ReadKept read_kept_table(std::string_view text);

/// @throws UsageError FILE:LINE: reason, of the first fault.
[[nodiscard]] KeptTable without_faults(ReadKept read, std::string_view file);

/// A table of `to_json`.
/// @param file  its name, for messages
/// @throws UsageError as without_faults does.
[[nodiscard]] KeptTable kept_table(std::string_view text, std::string_view file);

/// Adds the rule of a line, or its fault.
/// @param rule_of  throws UsageError where it is none
void add_rule(std::string_view line, int number, tables::Rule (*rule_of)(std::string_view line),
              std::vector<tables::Rule>& rules, ReadKept& read);

/// The same two as a form of table.
[[nodiscard]] Emitted json(const tables::Table& table, const tables::Provenance& provenance);
[[nodiscard]] ReadTable read_json(std::string_view text);

/// A table that was read whole, as a form of table: it answers as `Table::choose`, and tells what
/// the choice rests on.
[[nodiscard]] ReadTable as_read_table(ReadKept read);

}  // namespace breakeven::formats
