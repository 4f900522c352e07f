// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "cli/submit/batch_system.hpp"

namespace breakeven::cli::slurm_batch {

namespace {

/// @see sbatch(1), https://slurm.schedmd.com/sbatch.html
std::vector<std::string> directives(const BatchJob& job) {
  std::vector<std::string> lines{
      fmt::format("--job-name={}", job.name),
      fmt::format("--nodes={}", job.nodes),
      fmt::format("--ntasks-per-node={}", job.procs_per_node),
      "--exclusive",
      fmt::format("--time={}", clock_text(job.limit)),
      fmt::format("--signal=B:USR1@{:.0f}", job.margin.value),
      "--requeue",
      "--open-mode=append",
      fmt::format("--output={}",
                  (job.folder / (job.shards > 1 ? "job-%A_%a.out" : "job-%j.out")).string())};
  if (job.shards > 1) lines.push_back(fmt::format("--array=1-{}", job.shards));
  if (!job.queue.empty()) lines.push_back(fmt::format("--partition={}", job.queue));
  if (!job.account.empty()) lines.push_back(fmt::format("--account={}", job.account));
  return lines;
}

std::vector<launch::ChildProcess::Command> commands(const BatchJob& job) {
  return {{.arguments = {"sbatch", job.script().string()}, .environment = {}}};
}

}  // namespace

}  // namespace breakeven::cli::slurm_batch

const breakeven::cli::BatchSystem breakeven::cli::kSlurm{.name = "slurm",
                                                         .prefix = "#SBATCH ",
                                                         .directives = slurm_batch::directives,
                                                         .shell = slurm_sh,
                                                         .commands = slurm_batch::commands};
