// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/calibration.hpp"
#include "core/case.hpp"
#include "core/fields.hpp"
#include "core/library_setting.hpp"
#include "core/names.hpp"
#include "core/synchronisation.hpp"

namespace breakeven {

enum class MachineKind : std::uint8_t { library, model };
inline constexpr Names<MachineKind, 2> kMachineKinds{
    "machine kind", {{{MachineKind::library, "library"}, {MachineKind::model, "model"}}}};
constexpr const auto& names(MachineKind) { return kMachineKinds; }

/// The place where cases run: an MPI library on real nodes, or a model. Measurements of different
/// machines are never mixed, so another version or other settings of the library, or another
/// processor, are another machine.
struct Machine {
  std::string name{};  ///< as asked: "mpich", "postal:alpha=1e-06,beta=1e-09,gamma=1e-10"
  MachineKind kind = MachineKind::library;
  std::string library_version{};  ///< what the library says of itself; empty for a model
  std::string cpu{};              ///< the processor's name; empty for a model
  LibrarySettings settings{};     ///< that change what collectives or transports do
  friend bool operator==(const Machine&, const Machine&) = default;
};

constexpr auto fields(std::type_identity<Machine>) {
  return kPlainFields<&Machine::name, &Machine::kind, &Machine::library_version, &Machine::cpu,
                      &Machine::settings>;
}

/// One start of the MPI job, or of the model: the unit of every statistical statement.
struct Launch {
  NodeLayout layout{};
  int repeat = 0;               ///< 0-based; a launch that goes on after a crash keeps its number
  std::uint64_t seed = 0;       ///< of the order in which the cases ran
  std::string command{};        ///< the launcher's command line; empty for a model
  std::string placement{};      ///< JSON array: the host of each rank
  std::string environment{};    ///< JSON object: kernel, governor, git commit, ...
  Calibration calibration{};    ///< empty for a model, and where it was not finished
  bool oversubscribed = false;  ///< more processes than cores on some node
  // How the ranks began together, shared a clock and read it; none for a model.
  std::optional<SyncMethod> sync{};
  std::optional<ClockSync> clock_sync{};
  std::optional<Timer> timer{};
  RunTime run_time = RunTime::local;  ///< what the medians of its measurements are of
  bool outliers_dropped = false;      ///< these leave out what lies beyond Tukey's fences
};

}  // namespace breakeven
