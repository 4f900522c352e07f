// SPDX-License-Identifier: BSD-3-Clause
#include "results/statements.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "core/json.hpp"

namespace breakeven::results {

void bind(SQLite::Statement& statement, int index, std::optional<Seconds> seconds) {
  if (seconds) {
    statement.bind(index, seconds->value);
  } else {
    statement.bind(index);
  }
}

std::optional<Seconds> Columns::seconds_or_null() {
  const SQLite::Column column = next();
  return column.isNull() ? std::nullopt : std::optional{Seconds{column.getDouble()}};
}

SQLite::Statement& fresh(SQLite::Statement& statement) {
  statement.tryReset();
  return statement;
}

std::optional<std::int64_t> run(SQLite::Statement& statement) {
  std::optional<std::int64_t> id;
  while (statement.executeStep()) id = statement.getColumn(0).getInt64();
  return id;
}

void bind_case(SQLite::Statement& statement, const Case& what) {
  int column = 0;
  for_each_field(kCaseFields, [&](const auto& field) {
    const Json value = json_of(field.get(what));
    ++column;
    if (value.is_string()) return statement.bind(column, value.get<std::string>());
    statement.bind(column, value.get<std::int64_t>());
  });
}

Case read_case(Columns& row) {
  Case what;
  for_each_field(kCaseFields, [&]<typename F>(const F& field) {
    const SQLite::Column cell = row.next();
    const Json value = cell.isInteger() ? Json(cell.getInt64()) : Json(cell.getString());
    field.set(what, value_in<ValueOf<Case, F>>(value));
  });
  return what;
}

OwnTransaction::OwnTransaction(SQLite::Database& database) {
  if (sqlite3_get_autocommit(database.getHandle()) == 0) return;
  transaction_.emplace(database, SQLite::TransactionBehavior::IMMEDIATE);
}

void OwnTransaction::commit() {
  if (transaction_) transaction_->commit();
}

}  // namespace breakeven::results
