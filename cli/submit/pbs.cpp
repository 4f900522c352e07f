// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "cli/submit/batch_system.hpp"

namespace breakeven::cli::pbs_batch {

namespace {

/// An array is asked for on the command line, not here: a shard that begins again is a job alone.
/// @see qsub(1B) of OpenPBS, https://github.com/openpbs/openpbs/blob/master/doc/man1/qsub.1B
std::vector<std::string> directives(const BatchJob& job) {
  std::vector<std::string> lines{
      fmt::format("-N {}", job.name),
      fmt::format("-l select={0}:ncpus={1}:mpiprocs={1}", job.nodes, job.procs_per_node),
      "-l place=scatter:excl",
      fmt::format("-l walltime={}", clock_text(job.limit)),
      "-j oe",
      fmt::format("-o {}", job.folder.string()),
      "-r y",
      "-S /bin/bash"};
  if (!job.queue.empty()) lines.push_back(fmt::format("-q {}", job.queue));
  if (!job.account.empty()) lines.push_back(fmt::format("-A {}", job.account));
  return lines;
}

std::vector<launch::ChildProcess::Command> commands(const BatchJob& job) {
  launch::ChildProcess::Command command{.arguments = {"qsub"}, .environment = {}};
  if (job.shards > 1) {
    command.arguments.insert(command.arguments.end(), {"-J", fmt::format("1-{}", job.shards)});
  }
  command.arguments.push_back(job.script().string());
  return {command};
}

}  // namespace

}  // namespace breakeven::cli::pbs_batch

const breakeven::cli::BatchSystem breakeven::cli::kPbs{.name = "pbs",
                                                       .prefix = "#PBS ",
                                                       .directives = pbs_batch::directives,
                                                       .shell = pbs_sh,
                                                       .commands = pbs_batch::commands};
