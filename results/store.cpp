// SPDX-License-Identifier: BSD-3-Clause
#include "results/store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <optional>

#include "core/error.hpp"
#include "results/case_inserts.hpp"
#include "results/claim.hpp"
#include "results/database.hpp"
#include "results/queries.hpp"

namespace breakeven::results {

namespace {

/// SQLite's words, or clearer ones for a locked file.
std::string cause(const SQLite::Exception& error) {
  if (error.getErrorCode() != SQLITE_BUSY) return error.what();
  return "another program has it locked and doesn't let go; what was stored before is safe";
}

/// Claims a file that is there, before anything waits for the locks of its owner.
std::optional<Claim> claim_at_once(const std::filesystem::path& file, Store::Access access) {
  std::error_code ignored;
  const bool there =
      std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), R_OK | W_OK) == 0;
  if (access != Store::Access::fill || !there) return std::nullopt;
  return std::optional<Claim>{std::in_place, file};
}

}  // namespace

class Store::Implementation {
 public:
  Implementation(const std::filesystem::path& file, Access access, Seconds patience)
      : file_(file),
        claim_(claim_at_once(file, access)),
        database_(access == Access::read ? open_to_read(file, patience)
                                         : open_to_write(file, patience)) {
    if (access == Access::fill && !claim_) claim_.emplace(file);  // it was not there before
  }

  [[nodiscard]] SQLite::Database& database() { return database_; }
  /// Calls a function of results/queries.hpp.
  auto call(auto function, const auto&... arguments) {
    return named([&] { return function(database_, arguments...); });
  }
  auto insert(auto body) {
    return named([&] { return body(inserts_); });
  }

  /// Every failure of `body` names the file and stays of its kind.
  auto named(auto body) {
    try {
      return body();
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("'{}': {}", file_.string(), error.what()));
    } catch (const SQLite::Exception& error) {
      throw Error(fmt::format("'{}': {}", file_.string(), cause(error)));
    } catch (const std::runtime_error& error) {
      throw Error(fmt::format("'{}': {}", file_.string(), error.what()));
    }
  }

 private:
  std::filesystem::path file_;
  std::optional<Claim> claim_;  // ends after the database is closed, as Claim asks for
  SQLite::Database database_;
  CaseInserts inserts_{database_};
};

Store::Store(const std::filesystem::path& file, Access access, Seconds patience) try
    : implementation_(std::make_unique<Implementation>(file, access, patience)) {
} catch (const SQLite::Exception& error) {
  throw UsageError(fmt::format("'{}' can't be {}: {}", file.string(),
                               access == Access::read ? "read" : "written", cause(error)));
}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

MachineId Store::add(const Machine& machine) {
  return implementation_->call(insert_machine, machine);
}

void Store::remember(MachineId machine, const std::string& sweep) {
  implementation_->call(insert_sweep, machine, sweep);
}

void Store::remember(MachineId machine, const LibraryCapabilities& capabilities) {
  implementation_->call(insert_capabilities, machine, capabilities);
}

void Store::inspected(MachineId machine, const std::string& report) {
  implementation_->call(insert_inspection, machine, report);
}

class Store::Batch::Implementation {
 public:
  explicit Implementation(Store::Implementation& store)
      : store_(&store), transaction_(store.database(), SQLite::TransactionBehavior::IMMEDIATE) {}
  void commit() {
    store_->named([&] { transaction_.commit(); });
  }

 private:
  Store::Implementation* store_;
  SQLite::Transaction transaction_;
};

Store::Batch::Batch(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Store::Batch::~Batch() = default;
Store::Batch::Batch(Batch&&) noexcept = default;

void Store::Batch::commit() { implementation_->commit(); }

Store::Batch Store::batch() {
  return implementation_->named(
      [&] { return Batch{std::make_unique<Batch::Implementation>(*implementation_)}; });
}

LaunchId Store::begin(MachineId machine, const Launch& launch) {
  return implementation_->call(begin_launch, machine, launch);
}

void Store::add(LaunchId launch, const Calibration& calibration) {
  implementation_->call(insert_calibration, launch, calibration);
}

void Store::end(LaunchId launch, const std::string& outcome) {
  implementation_->call(end_launch, launch, outcome);
}

void Store::add(LaunchId launch, const Case& what, const CaseResult& result,
                const Summary& summary) {
  implementation_->insert([&](CaseInserts& inserts) {
    if (inserts.result(launch, what, result, summary)) return;
    throw Error(fmt::format("{} is measured already in this repeat", to_text(what)));
  });
}

void Store::add_failure(LaunchId launch, const Case& what, const std::string& reason) {
  implementation_->insert(
      [&](CaseInserts& inserts) { (void)inserts.failure(launch, what, reason); });
}

void Store::add(MachineId machine, const std::string& predictor, const Predictions& predictions) {
  implementation_->insert(
      [&](CaseInserts& inserts) { inserts.predictions(machine, predictor, predictions); });
}

void Store::conclude(MachineId machine, std::span<const CaseEstimate> estimates) {
  implementation_->insert([&](CaseInserts& inserts) { inserts.estimates(machine, estimates); });
}

std::map<MachineId, Machine> Store::machines() const {
  return implementation_->call(select_machines);
}

std::vector<std::string> Store::sweeps(MachineId machine) const {
  return implementation_->call(select_sweeps, machine);
}

std::vector<StoredLaunch> Store::launches(MachineId machine) const {
  return implementation_->call(select_launches, machine);
}

std::string Store::inspection(MachineId machine) const {
  return implementation_->call(select_inspection, machine);
}

LibraryCapabilities Store::capabilities(MachineId machine) const {
  return implementation_->call(select_capabilities, machine);
}

std::vector<Failure> Store::failures(MachineId machine) const {
  return implementation_->call(select_failures, machine);
}

std::vector<Measurement> Store::measurements(MachineId machine) const {
  return implementation_->call(select_measurements, machine);
}

std::vector<StoredMeasurement> Store::stored_measurements(MachineId machine) const {
  return implementation_->call(select_stored_measurements, machine);
}

Predictions Store::predictions(MachineId machine, const std::string& predictor) const {
  return implementation_->call(select_predictions, machine, predictor);
}

void Store::visit_samples(MachineId machine,
                          const std::function<void(const CaseSamples&)>& visit) const {
  implementation_->call(visit_samples_of, machine, visit);
}

}  // namespace breakeven::results
