// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "cli/submit/batch_system.hpp"

namespace breakeven::cli::flux_batch {

namespace {

/// @see
/// https://flux-framework.readthedocs.io/projects/flux-core/en/latest/man1/flux-batch.html
std::vector<std::string> directives(const BatchJob& job) {
  std::vector<std::string> lines{
      fmt::format("--job-name={}", job.name), fmt::format("--nodes={}", job.nodes), "--exclusive",
      fmt::format("--time-limit={:.0f}s", job.limit.value),
      fmt::format("--output={}", (job.folder / "job-{{id}}.out").string())};
  if (!job.queue.empty()) lines.push_back(fmt::format("--queue={}", job.queue));
  if (!job.account.empty()) lines.push_back(fmt::format("--setattr=bank={}", job.account));
  return lines;
}

/// Flux has no arrays of batch jobs: each shard is a job.
std::vector<launch::ChildProcess::Command> commands(const BatchJob& job) {
  std::vector<launch::ChildProcess::Command> all;
  for (int shard = 1; shard <= job.shards; ++shard) {
    launch::ChildProcess::Command& command = all.emplace_back();
    command.arguments = {"flux", "batch"};
    if (job.shards > 1) command.arguments.push_back(fmt::format("--env=BREAKEVEN_SHARD={}", shard));
    command.arguments.push_back(job.script().string());
  }
  return all;
}

}  // namespace

}  // namespace breakeven::cli::flux_batch

const breakeven::cli::BatchSystem breakeven::cli::kFlux{.name = "flux",
                                                        .prefix = "# flux: ",
                                                        .directives = flux_batch::directives,
                                                        .shell = flux_sh,
                                                        .commands = flux_batch::commands};
