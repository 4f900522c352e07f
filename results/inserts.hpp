// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <span>
#include <string>

#include "results/store.hpp"

namespace breakeven {

/// What a case came to in one launch: its samples, or the failure that explains why there are none.
struct Outcome {
  std::span<const double> durations{};  ///< seconds, in the order measured
  double median = 0;                    ///< of the durations
  std::string failure{};                ///< empty when there are durations
  int warmups = 0;
};

/// The statements that fill a results database. All throw SQLite::Exception.
class Inserts {
 public:
  /// `database` must outlive this object and have the tables of results/schema.sql.
  explicit Inserts(SQLite::Database& database);

  /// Finds the machine or adds it.
  [[nodiscard]] MachineId machine(const Machine& machine);
  /// Adds the request unless the machine was asked it before.
  void sweep(MachineId machine, const std::string& request);
  [[nodiscard]] LaunchId begin(MachineId machine, const Launch& launch);
  void end(LaunchId launch, const std::string& outcome);

  /// Stores the outcome in a transaction of its own, or in the one that is open, in the place of a
  /// failure of the same (case, repeat).
  /// @return whether it did: a measurement of the (case, repeat) is never replaced.
  /// @throws Error when there is no such launch.
  [[nodiscard]] bool outcome(LaunchId launch, const Case& what, const Outcome& outcome);

 private:
  SQLite::Database* database_;
  SQLite::Statement case_;
  SQLite::Statement measurement_;
  SQLite::Statement sample_;
};

}  // namespace breakeven
