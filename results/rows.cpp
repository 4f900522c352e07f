// SPDX-License-Identifier: BSD-3-Clause
#include "results/rows.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

#include "core/json.hpp"

namespace breakeven::results {

void bind_case(SQLite::Statement& statement, const Case& what) {
  int column = 0;
  for_each_field(kCaseFields, [&](const auto& field) {
    const Json value = json_of(field.get(what));
    ++column;
    if (value.is_string()) return statement.bind(column, value.get<std::string>());
    statement.bind(column, value.get<std::int64_t>());
  });
}

Case read_case(const SQLite::Statement& row) {
  Case what;
  int column = 0;
  for_each_field(kCaseFields, [&]<typename F>(const F& field) {
    const SQLite::Column cell = row.getColumn(column++);
    const Json value = cell.isInteger() ? Json(cell.getInt64()) : Json(cell.getString());
    field.set(what, value_in<ValueOf<Case, F>>(value));
  });
  return what;
}

}  // namespace breakeven::results
