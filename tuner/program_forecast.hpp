// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "sim/machine_file.hpp"
#include "tables/profile.hpp"
#include "tables/table.hpp"
#include "tuner/forecast.hpp"
#include "tuner/replay.hpp"

namespace breakeven::tuner {

/// Calls of a program that are counted together, on a model machine.
struct CallForecast {
  tables::Use use{};  ///< where it was asked for
  std::int64_t calls = 0;
  Seconds profiled{};
  Variant now{};       ///< that ran: of native the library's own algorithm
  Variant then{};      ///< by the table
  bool known = false;  ///< else both take as long as profiled
  Seconds now_time{};  ///< in the replay, with what ranks wait for each other
  Seconds then_time{};
  Seconds rest{};  ///< of `profiled`, what the replay has not
};

/// The time of a program's calls on a model machine, as they are and by a table.
struct ProgramForecast {
  std::vector<CallForecast> calls{};  ///< the longest first
  Seconds profiled{};                 ///< of all calls, also those that can't be predicted
  Seconds now{};
  Seconds then{};
  /// The part of the profiled time that the replay has not, on the profile's machine and layout:
  /// disturbances. By the table half of it changes as the costs do, in the interval none to all.
  Seconds rest{};
  Seconds rest_then{};
  std::optional<ForecastInterval> speedup{};    ///< of now / then, by the errors of the machine
                                                ///< and the table
  std::optional<ForecastInterval> with_rest{};  ///< of (now + rest) / (then + rest_then)
  double ordered = 0;  ///< the share of the calls that is played in the program's order
  // The replay by the table, for observers.
  std::vector<ReplayedKind> kinds{};
  tables::Order order{};
  NodeLayout layout{};  ///< of MPI_COMM_WORLD
};

/// The table that a program would get.
struct ProgramChoices {
  const tables::Table* all = nullptr;      ///< null: the algorithm that is predicted to be fastest
  const tables::Table* library = nullptr;  ///< in force in the MPI library itself; null: none
  bool measured_here = false;              ///< on the profile's library and processor
};

/// Replays a program's blocking calls in their order. On the machine of the profile, as the machine
/// file's origin says, a call takes as long as profiled where it hardly waits; and by another
/// algorithm as much less as the table's measurements say for this p and size, else as the model
/// does. On another machine the model prices each call whose algorithm is known: ours, and those of
/// the library that send the messages of one of ours. Calls that no order has follow at the end.
/// @param grown  the layout of communicators of all processes in place of the profiled one; their
///               calls and sizes stay, and native runs the same algorithm
/// @throws UsageError when none of the calls can be predicted.
[[nodiscard]] ProgramForecast forecast(const tables::Profile& profile,
                                       const ProgramChoices& choices,
                                       const sim::MachineDescription& machine,
                                       const std::optional<NodeLayout>& grown = {});

}  // namespace breakeven::tuner
