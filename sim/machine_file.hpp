// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine.hpp"
#include "sim/model_error.hpp"

namespace breakeven::sim {

/// A machine as it was fitted to measurements.
struct FittedMachine {
  Machine machine{};
  /// Bootstrap replicates, each of all parameters together and with the machine's ranges: a number
  /// computed on each of them has its 95 % interval between their quantiles of 2.5 and 97.5 %.
  std::vector<Machine> replicates{};
};

/// The largest measured problem; beyond it a prediction is an extrapolation. Empty: not measured.
struct Limits {
  std::optional<std::int64_t> procs{};
  std::optional<std::int64_t> procs_per_node{};
  std::optional<std::int64_t> message_bytes{};

  /// How far a problem lies beyond, in doublings, added up: 0 where all lies within.
  [[nodiscard]] double doublings_beyond(int at_procs, int at_procs_per_node, Bytes message) const;
  friend bool operator==(const Limits&, const Limits&) = default;
};

/// Where the parameters come from; each empty where that is not known.
struct Origin {
  std::string library{};
  std::string library_version{};
  std::string processor{};
  std::string layout{};  ///< processes, nodes, mapping
  std::string date{};    ///< ISO 8601
  std::string breakeven_version{};
  std::string command{};  ///< that measured it
  std::string source{};   ///< of parameters that were not measured here
  friend bool operator==(const Origin&, const Origin&) = default;
};

/// The contents of a machine file.
struct MachineDescription {
  std::string name{};
  FittedMachine general{};
  /// By "COLLECTIVE/ALGORITHM", where other parameters fit it better.
  std::map<std::string, FittedMachine, std::less<>> by_algorithm{};
  Limits limits{};
  Origin origin{};
  ModelErrors errors{};  ///< empty where they were not measured

  /// How wrong a time may be. Each doubling beyond the limits adds the variance of what the general
  /// parameters missed, a rule of thumb; so do the algorithm's parameters, as those of the machine
  /// that are its own were fitted without them. Nothing where no error was measured.
  [[nodiscard]] std::optional<ModelError> error_of(Collective collective,
                                                   std::string_view algorithm,
                                                   std::string_view params,
                                                   double doublings_beyond) const;
  /// The machine that predicts an algorithm, by its name without parameters.
  [[nodiscard]] const FittedMachine& of(Collective collective, std::string_view algorithm) const;
};

/// A machine file (docs/files.md).
/// @param file  its name, for errors
/// @throws UsageError with the line of the error, and what is possible.
[[nodiscard]] MachineDescription parse_machine(std::string_view toml, const std::string& file);

/// @throws UsageError as parse_machine() does, or naming the file that can't be read.
[[nodiscard]] MachineDescription read_machine_file(const std::filesystem::path& file);

/// The text that parse_machine() reads; numbers keep all their digits, those of replicates six.
[[nodiscard]] std::string to_toml(const MachineDescription& description);

}  // namespace breakeven::sim
