// SPDX-License-Identifier: BSD-3-Clause
#include "results/store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/statistics.hpp"
#include "results/database.hpp"
#include "results/inserts.hpp"
#include "results/queries.hpp"

namespace breakeven {

namespace {

std::vector<double> durations_of(const Case& what, std::span<const Seconds> samples) {
  std::vector<double> durations;
  durations.reserve(samples.size());
  for (const Seconds sample : samples) {
    if (!std::isfinite(sample.value) || sample.value < 0) {
      throw Error(fmt::format("{}: {} s is not a duration", to_text(what), sample.value));
    }
    durations.push_back(sample.value);
  }
  return durations;
}

}  // namespace

class Store::Implementation {
 public:
  Implementation(const std::filesystem::path& file, Access access)
      : file_(file.string()),
        database_(access == Access::read ? open_to_read(file) : open_to_write(file)) {}

  [[nodiscard]] SQLite::Database& database() { return database_; }
  auto insert(auto body) {
    return named([&] { return body(inserts_); });
  }
  auto select(auto body) {
    return named([&] { return body(database_); });
  }

  /// Every failure of `body` names the file and stays of its kind.
  auto named(auto body) {
    try {
      return body();
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("'{}': {}", file_, error.what()));
    } catch (const std::runtime_error& error) {
      throw Error(fmt::format("'{}': {}", file_, error.what()));
    }
  }

 private:
  std::string file_;
  SQLite::Database database_;
  Inserts inserts_{database_};
};

Store::Store(const std::filesystem::path& file, Access access) try
    : implementation_(std::make_unique<Implementation>(file, access)) {
} catch (const SQLite::Exception& error) {
  throw UsageError(fmt::format("'{}' can't be {}: {}", file.string(),
                               access == Access::read ? "read" : "written", error.what()));
}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

MachineId Store::add(const Machine& machine) {
  return implementation_->insert([&](Inserts& inserts) { return inserts.machine(machine); });
}

void Store::remember(MachineId machine, const std::string& sweep) {
  implementation_->insert([&](Inserts& inserts) { inserts.sweep(machine, sweep); });
}

class Store::Batch::Implementation {
 public:
  explicit Implementation(SQLite::Database& database)
      : transaction_(database, SQLite::TransactionBehavior::IMMEDIATE) {}
  void commit() { transaction_.commit(); }

 private:
  SQLite::Transaction transaction_;
};

Store::Batch::Batch(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Store::Batch::~Batch() = default;
Store::Batch::Batch(Batch&&) noexcept = default;

void Store::Batch::commit() { implementation_->commit(); }

Store::Batch Store::batch() {
  return implementation_->named(
      [&] { return Batch{std::make_unique<Batch::Implementation>(implementation_->database())}; });
}

LaunchId Store::begin(MachineId machine, const Launch& launch) {
  return implementation_->insert([&](Inserts& inserts) { return inserts.begin(machine, launch); });
}

void Store::end(LaunchId launch, const std::string& outcome) {
  implementation_->insert([&](Inserts& inserts) { inserts.end(launch, outcome); });
}

void Store::add(LaunchId launch, const Case& what, std::span<const Seconds> samples, int warmups) {
  const std::vector<double> durations = durations_of(what, samples);
  const Outcome outcome{.durations = durations, .median = median(durations), .warmups = warmups};
  implementation_->insert([&](Inserts& inserts) {
    if (inserts.outcome(launch, what, outcome)) return;
    throw Error(fmt::format("{} is measured already in this repeat", to_text(what)));
  });
}

void Store::add_failure(LaunchId launch, const Case& what, const std::string& reason) {
  const Outcome outcome{.failure = reason};
  implementation_->insert([&](Inserts& inserts) { (void)inserts.outcome(launch, what, outcome); });
}

std::map<MachineId, Machine> Store::machines() const {
  return implementation_->select(select_machines);
}

std::vector<std::string> Store::sweeps(MachineId machine) const {
  return implementation_->select([&](auto& database) { return select_sweeps(database, machine); });
}

std::vector<Stored> Store::stored(MachineId machine) const {
  return implementation_->select([&](auto& database) { return select_stored(database, machine); });
}

std::vector<Measurement> Store::measurements(MachineId machine) const {
  return implementation_->select(
      [&](auto& database) { return select_measurements(database, machine); });
}

std::vector<Seconds> Store::samples(MachineId machine, const Case& what, int repeat) const {
  return implementation_->select(
      [&](auto& database) { return select_samples(database, machine, what, repeat); });
}

}  // namespace breakeven
