// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/json.hpp"

#include "tuner/rule_fields.hpp"
#include "tuner/table_json.hpp"

namespace breakeven {

Emitted json(const Table& table, const Provenance& provenance) {
  return {.text = to_json({table, provenance})};
}

ReadTable read_json(std::string_view text) {
  ReadKept read = read_kept_table(text);
  if (!read.faults.empty()) return {.faults = std::move(read.faults)};
  return {.answer = answer_of(std::move(read.kept.table))};
}

}  // namespace breakeven
