// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "sim/machine_file.hpp"
#include "tables/profile.hpp"
#include "tables/table.hpp"
#include "tuner/forecast.hpp"

namespace breakeven::tuner {

/// Calls of a program that are counted together, on a model machine.
struct CallForecast {
  tables::Use use{};  ///< where it was asked for
  std::int64_t calls = 0;
  Seconds profiled{};
  Variant now{};   ///< that ran: of native the library's own algorithm
  Variant then{};  ///< by the table
  Seconds now_time{};
  Seconds then_time{};
};

/// The time of a program's calls on a model machine, as they are and by a table.
struct ProgramForecast {
  std::vector<CallForecast> calls{};  ///< the longest first
  Seconds profiled{};                 ///< of all calls, also those that can't be predicted
  Seconds now{};
  Seconds then{};
  std::optional<ForecastInterval> speedup{};  ///< of now / then, with the machine's error
};

/// The table that a program would get.
struct ProgramChoices {
  const tables::Table* all = nullptr;      ///< null: the algorithm that is predicted to be fastest
  const tables::Table* library = nullptr;  ///< in force in the MPI library itself; null: none
};

/// Predicts blocking calls whose algorithm is known: ours, and those of the library that send the
/// messages of one of ours. All ranks begin a call together, and calls do not overlap.
/// @param grown  the layout of communicators of all processes in place of the profiled one; their
///               calls and sizes stay, and native runs the same algorithm
/// @throws UsageError when none of the calls can be predicted.
[[nodiscard]] ProgramForecast forecast(const tables::Profile& profile,
                                       const ProgramChoices& choices,
                                       const sim::MachineDescription& machine,
                                       const std::optional<NodeLayout>& grown = {});

}  // namespace breakeven::tuner
