// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <SQLiteCpp/VariadicBind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/case.hpp"
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

/// NULL stands for an unknown time.
void bind(SQLite::Statement& statement, int index, std::optional<Seconds> seconds);

/// Makes a statement ready to be bound, also after a failure.
SQLite::Statement& fresh(SQLite::Statement& statement);

/// Runs a bound statement and gives the id that it returns. It runs to its end, past its only row,
/// because a later failure, as of the commit, is reported there.
std::optional<std::int64_t> run(SQLite::Statement& statement);

/// Reads the columns of a row, one after the other.
class Columns {
 public:
  explicit Columns(const SQLite::Statement& row) : row_{&row} {}

  [[nodiscard]] SQLite::Column next() { return row_->getColumn(next_++); }
  [[nodiscard]] std::string text() { return next().getString(); }
  [[nodiscard]] bool flag() { return next().getInt() != 0; }
  [[nodiscard]] Seconds seconds() { return {next().getDouble()}; }
  [[nodiscard]] std::optional<Seconds> seconds_or_null();

 private:
  const SQLite::Statement* row_;
  int next_ = 0;
};

/// Visits the rows of a query.
/// @param values  of its parameters
template <typename Visit, typename... Values>
void visit_rows(SQLite::Database& database, const std::string& query, const Visit& visit,
                const Values&... values) {
  SQLite::Statement row(database, query);
  SQLite::bind(row, values...);
  while (row.executeStep()) {
    Columns columns{row};
    visit(columns);
  }
}

/// The columns of a case are its fields, in their order.
inline constexpr auto kCaseFields = fields(std::type_identity<Case>{});
inline constexpr std::string_view kCaseColumns =
    "collective, form, algorithm, params, procs, nodes, procs_per_node, mapping, comms_per_node, "
    "message_bytes, datatype, op, root, counts";
inline constexpr std::string_view kCaseParameters =
    "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14";

/// Binds kCaseParameters.
void bind_case(SQLite::Statement& statement, const Case& what);

/// Reads kCaseColumns.
/// @throws UsageError when a name in it is unknown to this program.
[[nodiscard]] Case read_case(Columns& row);

/// A transaction for its scope, or nothing where one is open already. Without a commit, nothing
/// changes.
class OwnTransaction {
 public:
  explicit OwnTransaction(SQLite::Database& database);
  void commit();

 private:
  std::optional<SQLite::Transaction> transaction_;
};

}  // namespace breakeven::results
