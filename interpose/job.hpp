// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/mapping.hpp"
#include "executor/communicator.hpp"
#include "interpose/notify.hpp"
#include "tables/table.hpp"

namespace breakeven::interpose {

/// The source of the program's choices, and where its processes are.
struct Job {
  std::optional<tables::Table> table{};
  std::optional<std::uint64_t> cycle{};  ///< instead of a table, for tests: each size and root by
                                         ///< another algorithm, which follows from this
  bool from_first_call = false;          ///< serves communicators from their first call on: in
                                         ///< tests, and where results keep their bits
  bool one_thread = false;               ///< no rank has threads that call MPI at once
  NodeLayout layout{};                   ///< of MPI_COMM_WORLD
  std::unique_ptr<const executor::Communicator> world{};  ///< on which plans' messages travel;
                                                          ///< null once it was given back
  bool shares_memory = true;  ///< the library does between processes of a node
  std::string profile{};      ///< folder that gets the counts; empty: calls are not counted
  std::chrono::steady_clock::time_point begin{};
};

/// Null before MPI_Init, after MPI_Finalize, and where the library's own collectives run.
[[nodiscard]] inline std::atomic<Job*>& current_job() {
  static constinit std::atomic<Job*> job{nullptr};
  return job;
}

/// Collective over MPI_COMM_WORLD where it takes part, right after MPI_Init: rank 0 reads the files
/// that its environment names.
///
///     BREAKEVEN_TABLE=FILE        a table as JSON, of this machine, library and version
///     BREAKEVEN_TABLE=cycle:SEED  for tests: all algorithms, by size and root
///     BREAKEVEN_PROFILE=FOLDER    gets NODE.PID.json, the calls, at MPI_Finalize
///     BREAKEVEN_STRICT=1          without a usable table the job ends, with status 2
///
/// Otherwise a table that can't be used is named in one line, and changes nothing.
void begin_job(Verdict verdict) noexcept;

/// A call of the program that makes a communicator of `comm`, by the library. Where that has no
/// more, it gets ours, if all processes of MPI_COMM_WORLD are in the call, and performs the calls
/// of our plans itself.
[[nodiscard]] int make(MPI_Comm comm, const MPI_Comm* made, const std::function<int()>& native);

}  // namespace breakeven::interpose
