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

/// A batch system: how it is told what a job needs, and how a job there begins again.
struct BatchSystem {
  std::string_view name;    ///< "slurm"
  std::string_view prefix;  ///< of a line in a script that is for it: "#SBATCH "
  std::vector<std::string> (*directives)(const BatchJob& job);
  std::string_view (*shell)();  ///< the part of the script that is its own
  /// What submits the job, or each of its shards.
  std::vector<launch::ChildProcess::Command> (*commands)(const BatchJob& job);
};

namespace slurm_batch {
extern const BatchSystem system;
}
namespace pbs_batch {
extern const BatchSystem system;
}
namespace flux_batch {
extern const BatchSystem system;
}
inline constexpr std::array kBatchSystems{&slurm_batch::system, &pbs_batch::system,
                                          &flux_batch::system};

/// The whole script.
[[nodiscard]] std::string job_script(const BatchSystem& system, const BatchJob& job);

/// "01:30:00"
[[nodiscard]] std::string clock_text(Seconds time);

}  // namespace breakeven::cli
