// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <span>
#include <string>

#include "core/prediction.hpp"
#include "results/records.hpp"

namespace breakeven::results {

/// The statements that store the results of cases, prepared once: they run for every case of a
/// sweep. Each function is a transaction of its own, or part of the one that is open. All throw
/// SQLite::Exception.
class CaseInserts {
 public:
  /// `database` must outlive this object and have the tables of results/schema.sql.
  explicit CaseInserts(SQLite::Database& database);

  /// Stores samples, or the reason why there are none, in the place of a failure of the same (case,
  /// repeat).
  /// @return whether it did: a measurement of the (case, repeat) is never replaced.
  /// @throws Error when there is no such launch, no sample, or one that is no duration.
  [[nodiscard]] bool result(LaunchId launch, const Case& what, const CaseResult& result,
                            const Summary& summary);
  [[nodiscard]] bool failure(LaunchId launch, const Case& what, const std::string& reason);
  /// Stores a predictor's predictions of cases; earlier ones stay.
  void predictions(MachineId machine, const std::string& predictor, const Predictions& predictions);
  /// Stores estimates in the place of all earlier ones of the machine.
  void estimates(MachineId machine, std::span<const CaseEstimate> estimates);

 private:
  [[nodiscard]] MachineId machine_of(LaunchId launch);
  /// Finds the case's row or adds it.
  [[nodiscard]] std::int64_t row_of(MachineId machine, const Case& what);
  /// Stores a row of `measurement` and gives its id; nothing when the (case, repeat) is measured.
  [[nodiscard]] std::optional<std::int64_t> measurement(LaunchId launch, const Case& what,
                                                        const CaseResult& result,
                                                        const Summary& summary,
                                                        const std::string& failure);

  SQLite::Database* database_;
  SQLite::Statement machine_of_;
  SQLite::Statement case_;
  SQLite::Statement measurement_;
  SQLite::Statement durations_;
};

}  // namespace breakeven::results
