// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/launch.hpp"
#include "core/library_capabilities.hpp"
#include "core/prediction.hpp"
#include "core/units.hpp"
#include "results/records.hpp"

namespace breakeven::results {

/// The results database: an SQLite file with the tables of results/schema.sql.
///
/// Every `add` is one transaction, unless a Batch is open: when it returns, the measurement
/// survives the death of this process at any later moment. One writer at a time; a second one waits
/// for `patience`, then gets an Error. Every failure of SQLite becomes an Error or UsageError that
/// names the file and the cause; what was stored before stays, and the next attempt is on its own.
///
/// A process should have a file open in one store only: opening or closing a second one drops the
/// locks of the first, by POSIX.
class Store {
 public:
  enum class Access : std::uint8_t {
    read,   ///< the file must be there and is not changed
    write,  ///< the file is made when missing
    fill,   ///< the same, by this process alone, until the store or the process ends, however it
            ///< does
  };

  /// How long to wait where another process has the file locked: losing a finished case is worse.
  static constexpr Seconds kPatience{30};

  /// @throws UsageError in one line naming the file when it is missing (read), not SQLite, not a
  ///         results database, of another version than this program's, can't be written, or is
  ///         being filled by another process (fill; at once, whatever that one has locked). A file
  ///         that was refused is left as it was, and no new file stays behind.
  Store(const std::filesystem::path& file, Access access, Seconds patience = kPatience);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Finds the machine or adds it.
  [[nodiscard]] MachineId add(const Machine& machine);
  /// Remembers the library's own algorithms and trees; known ones stay.
  void remember(MachineId machine, const LibraryCapabilities& capabilities);
  /// Remembers a request to measure the machine, so that its rest is known later.
  void remember(MachineId machine, const std::string& sweep);
  /// Records the beginning of a launch, dated now.
  [[nodiscard]] LaunchId begin(MachineId machine, const Launch& launch);
  /// Stores the times of a launch without collectives.
  void add(LaunchId launch, const Calibration& calibration);
  /// Records how a launch ended, dated now: "complete", or why it ended early.
  void end(LaunchId launch, const std::string& outcome);

  /// Stores a launch's result of a case; a failure of the same (case, repeat) is replaced.
  /// Samples are kept to the picosecond.
  /// @throws Error when there is no sample (none valid is a failure, never 0 s) or when the (case,
  ///         repeat) is measured already: nothing is measured twice.
  void add(LaunchId launch, const Case& what, const CaseResult& result,
           const Summary& summary = {});
  /// Stores that a case failed in this launch; a measurement of the (case, repeat) stays.
  void add_failure(LaunchId launch, const Case& what, const std::string& reason);
  /// Stores predictions of a predictor, given as its text, for cases of the machine; earlier ones
  /// stay.
  void add(MachineId machine, const std::string& predictor, const Predictions& predictions);
  /// Replaces the estimates of a machine; they last until its next launch begins.
  void conclude(MachineId machine, std::span<const CaseEstimate> estimates);
  /// Stores the doctor's findings, dated now.
  void inspected(MachineId machine, const std::string& report);

  /// While one is open, everything stored is one transaction, for data that are cheap to recompute:
  /// `commit` stores it whole, else it is lost.
  class Batch {
   public:
    ~Batch();
    Batch(Batch&&) noexcept;
    void commit();

   private:
    friend class Store;
    class Implementation;
    explicit Batch(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
  };
  [[nodiscard]] Batch batch();

  [[nodiscard]] std::map<MachineId, Machine> machines() const;
  /// The library's own algorithms and trees; empty when it was never asked.
  [[nodiscard]] LibraryCapabilities capabilities(MachineId machine) const;
  /// The requests to measure the machine, in their order.
  [[nodiscard]] std::vector<std::string> sweeps(MachineId machine) const;
  /// The launches of the machine, in the order in which they began.
  [[nodiscard]] std::vector<StoredLaunch> launches(MachineId machine) const;
  /// The last findings of the doctor; empty when it never looked.
  [[nodiscard]] std::string inspection(MachineId machine) const;
  /// Every (case, repeat) of the machine that failed.
  [[nodiscard]] std::vector<Failure> failures(MachineId machine) const;
  /// Every successful measurement of the machine, without its samples.
  [[nodiscard]] std::vector<Measurement> measurements(MachineId machine) const;
  /// The same with all that is stored but their samples.
  [[nodiscard]] std::vector<StoredMeasurement> stored_measurements(MachineId machine) const;
  /// A predictor's predictions of the machine's cases.
  [[nodiscard]] Predictions predictions(MachineId machine, const std::string& predictor) const;
  /// The samples of every measurement of the machine, one after the other.
  void visit_samples(MachineId machine, const std::function<void(const CaseSamples&)>& visit) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace breakeven::results
