// SPDX-License-Identifier: BSD-3-Clause
#include "results/statements.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

namespace breakeven::results {

void bind(SQLite::Statement& statement, int index, std::optional<Seconds> seconds) {
  if (seconds) {
    statement.bind(index, seconds->value);
  } else {
    statement.bind(index);
  }
}

std::optional<Seconds> seconds_or_null(const SQLite::Column& column) {
  if (column.isNull()) return std::nullopt;
  return Seconds{column.getDouble()};
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

OwnTransaction::OwnTransaction(SQLite::Database& database) {
  if (sqlite3_get_autocommit(database.getHandle()) == 0) return;
  transaction_.emplace(database, SQLite::TransactionBehavior::IMMEDIATE);
}

void OwnTransaction::commit() {
  if (transaction_) transaction_->commit();
}

}  // namespace breakeven::results
