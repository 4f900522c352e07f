// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <cstdint>
#include <optional>
#include <string>

#include "core/names.hpp"
#include "core/units.hpp"

namespace breakeven::results {

/// Now, in UTC and with milliseconds, as the SQL that gives it.
inline constexpr std::string_view kNow = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/// The number of a MachineId or a LaunchId.
template <typename Id>
[[nodiscard]] std::int64_t number(Id id) {
  return static_cast<std::int64_t>(id);
}

template <typename Enum, std::size_t Size>
[[nodiscard]] std::string name_or_empty(const Names<Enum, Size>& names, std::optional<Enum> value) {
  return value ? std::string(names.of(*value)) : "";
}

/// NULL stands for what is not known.
void bind(SQLite::Statement& statement, int index, std::optional<Seconds> seconds);
[[nodiscard]] std::optional<Seconds> seconds_or_null(const SQLite::Column& column);

/// Makes a statement ready to be bound, whatever became of its last use.
SQLite::Statement& fresh(SQLite::Statement& statement);

/// Runs a bound statement and gives the id that it returns. To its end, past its only row: what
/// still fails after that row, such as the commit, is reported there.
std::optional<std::int64_t> run(SQLite::Statement& statement);

/// The transaction of what is stored in its scope, or nothing where one is open already. Without a
/// commit, all is as it was.
class OwnTransaction {
 public:
  explicit OwnTransaction(SQLite::Database& database);
  void commit();

 private:
  std::optional<SQLite::Transaction> transaction_;
};

}  // namespace breakeven::results
