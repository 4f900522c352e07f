// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "harness/launch/child_process.hpp"

namespace breakeven::cli {

/// A job that sweeps.
struct BatchJob {
  std::string name = "breakeven";
  int nodes = 1;
  int procs_per_node = 1;
  Seconds limit{};                    ///< of one run
  Seconds margin{};                   ///< before the limit, when a run begins to end
  std::optional<Seconds> budget{};    ///< of all runs together
  std::string queue{};                ///< or partition; empty: the default one
  std::string account{};              ///< empty: the default one
  int shards = 1;                     ///< allocations that share the sweep
  std::vector<std::string> more{};    ///< directives in addition
  std::filesystem::path folder{};     ///< absolute: where script, output and results go
  std::filesystem::path database{};   ///< absolute
  std::filesystem::path breakeven{};  ///< this program
  std::string machine{};              ///< of the sweep
  std::vector<std::string> sweep{};   ///< its options, as words
  [[nodiscard]] std::filesystem::path script() const { return folder / "job.sh"; }
};

/// A batch system: its directives for the needs of a job, and how a job begins again.
struct BatchSystem {
  std::string_view name;    ///< "slurm"
  std::string_view prefix;  ///< of a line in a script that is for it: "#SBATCH "
  std::vector<std::string> (*directives)(const BatchJob& job);
  std::string_view (*shell)();  ///< the part of the script that is its own
  /// The commands that submit the job, or each of its shards.
  std::vector<launch::ChildProcess::Command> (*commands)(const BatchJob& job);
};

extern const BatchSystem kSlurm;
extern const BatchSystem kPbs;
extern const BatchSystem kFlux;
inline constexpr std::array kBatchSystems{&kSlurm, &kPbs, &kFlux};

/// The whole script.
[[nodiscard]] std::string job_script(const BatchSystem& system, const BatchJob& job);

/// "01:30:00"
[[nodiscard]] std::string clock_text(Seconds time);

/// The parts of a job script: the files of these names in this folder.
[[nodiscard]] std::string_view slurm_sh();
[[nodiscard]] std::string_view pbs_sh();
[[nodiscard]] std::string_view flux_sh();
[[nodiscard]] std::string_view sweep_sh();

}  // namespace breakeven::cli
