// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/launch.hpp"
#include "core/units.hpp"

namespace breakeven {

/// Row ids of a store; strong, so that a launch is never taken for a machine.
enum class MachineId : std::int64_t {};
enum class LaunchId : std::int64_t {};

/// Where one (case, repeat) stands.
struct Stored {
  Case what{};
  int repeat = 0;
  std::string failure{};  ///< empty when it was measured
};

/// The results database: an SQLite file with the tables of results/schema.sql.
///
/// Every `add` is one transaction, unless a Batch is open: when it returns, the measurement
/// survives the death of this process at any later moment. One writer at a time; a second one waits
/// a few seconds, then gets an Error. Every failure of SQLite becomes an Error or UsageError that
/// names the file.
class Store {
 public:
  enum class Access : std::uint8_t {
    read,   ///< the file must be there and is not changed
    write,  ///< the file is made when missing, and brought to the current version when older
  };

  /// @throws UsageError in one line naming the file when it is missing (read), not SQLite, not a
  ///         results database, of a newer schema than this program knows, of an older one (read:
  ///         says that a sweep brings it up to date), or can't be written. A file that was refused
  ///         is left as it was, and no new file stays behind.
  Store(const std::filesystem::path& file, Access access);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Finds the machine or adds it.
  [[nodiscard]] MachineId add(const Machine& machine);
  /// Remembers what the machine was asked to measure, so that it can be told what remains.
  void remember(MachineId machine, const std::string& sweep);
  /// Records the beginning of a launch, dated now.
  [[nodiscard]] LaunchId begin(MachineId machine, const Launch& launch);
  /// Records how a launch ended, dated now: "complete", or why it ended early.
  void end(LaunchId launch, const std::string& outcome);

  /// Stores all samples of a case in one launch: a failure of the same (case, repeat) is replaced.
  /// @throws Error when `samples` is empty (no valid sample is a failure, never 0 s) or when the
  ///         (case, repeat) is measured already: nothing is measured twice.
  void add(LaunchId launch, const Case& what, std::span<const Seconds> samples, int warmups);
  /// Stores that a case failed in this launch; a measurement of the (case, repeat) stays.
  void add_failure(LaunchId launch, const Case& what, const std::string& reason);

  /// While one is open, all that is stored is one transaction: for what can be had again in no
  /// time. Stored whole by `commit`, or not at all.
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
  /// What the machine was asked to measure, in the order in which it was.
  [[nodiscard]] std::vector<std::string> sweeps(MachineId machine) const;
  /// Every (case, repeat) of the machine that was measured or failed.
  [[nodiscard]] std::vector<Stored> stored(MachineId machine) const;
  /// Every successful measurement of the machine, without its samples.
  [[nodiscard]] std::vector<Measurement> measurements(MachineId machine) const;
  /// The samples of one measurement, in the order measured; empty when there is none.
  [[nodiscard]] std::vector<Seconds> samples(MachineId machine, const Case& what, int repeat) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace breakeven
