// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>

#include "cli/submit/batch_system.hpp"

namespace breakeven::cli {

namespace {

/// A word as shells and linters take it: a linter takes a bare comma for a mistake in a list.
std::string quoted(const std::string& word) {
  std::string text =
      launch::to_text(launch::ChildProcess::Command{.arguments = {word}, .environment = {}});
  const bool bare = !text.starts_with('\'');
  return bare && text.find(',') != std::string::npos ? fmt::format("'{}'", text) : text;
}

/// The words of a list, with a line for each option and its value.
std::string lines_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (word.starts_with("--") ? "\n  " : " ") + quoted(word);
  }
  return text + "\n";
}

/// A shell fragment without its line for linters.
std::string_view without_first_line(std::string_view text) {
  return text.substr(text.find('\n') + 1);
}

std::string variables(const BatchJob& job) {
  return fmt::format(
      "breakeven={}\n"
      "sweep=({})\n"
      "machine={}\n"
      "database={}\n"
      "out={}\n"
      "script={}\n"
      "shards={}    # allocations that share the sweep\n"
      "limit_s={:.0f}  # of each run\n"
      "margin_s={:.0f}  # a run stops measuring this long before the limit\n"
      "budget_s={:.0f}  # of all runs together; 0: as many as it takes\n\n",
      quoted(job.breakeven), lines_of(job.sweep), quoted(job.machine), quoted(job.database),
      quoted(job.folder), quoted(job.script()), job.shards, job.limit.value, job.margin.value,
      job.budget.value_or(Seconds{0}).value);
}

}  // namespace

std::string clock_text(Seconds time) {
  const auto seconds = static_cast<long>(std::ceil(time.value));
  return fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string job_script(const BatchSystem& system, const BatchJob& job) {
  std::string script = "#!/bin/bash\n";
  for (const std::string& line : system.directives(job)) {
    script += fmt::format("{}{}\n", system.prefix, line);
  }
  for (const std::string& line : job.more) script += fmt::format("{}{}\n", system.prefix, line);
  script +=
      "\n# Written by `breakeven submit`: sweeps within the job's nodes and time, resumes in "
      "further\n"
      "# runs until all is measured, and ends with tables and a report.\n"
      "set -uo pipefail\n\n" +
      variables(job);
  script += without_first_line(system.shell());
  script += without_first_line(sweep_sh());
  return script;
}

}  // namespace breakeven::cli
