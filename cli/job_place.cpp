// SPDX-License-Identifier: BSD-3-Clause
#include "cli/job_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "core/error.hpp"
#include "core/units.hpp"
#include "harness/launch/program.hpp"

namespace breakeven::cli {

namespace {

/// The number of processes that the launcher's words say, or the batch system.
std::optional<int> procs_of(const std::vector<std::string>& command, const std::string& program) {
  const auto end = std::ranges::find(command, program);
  for (auto word = std::find_if(command.begin(), end, launch::is_launcher); word != end; ++word) {
    for (const std::string_view name : {"-n", "-np", "--np", "--ntasks"}) {
      if (*word == name && std::next(word) != end) return number_in<int>(*std::next(word));
      const std::string_view rest =
          std::string_view{*word}.substr(std::min(word->size(), name.size()));
      if (!word->starts_with(name) || rest.empty()) continue;
      if (const auto procs = number_in<int>(rest.substr(rest.front() == '=' ? 1 : 0))) return procs;
    }
  }
  const char* const tasks = std::getenv("SLURM_NTASKS");
  return tasks == nullptr ? std::nullopt : number_in<int>(tasks);
}

}  // namespace

JobPlace place_of(const RunOptions& options, const TuneOptions& tune) {
  const launch::CommandFacts facts = launch::facts_of(options.command);
  const std::string program = facts.programs.empty() ? "" : facts.programs.front().first;
  JobPlace place{.library = tune.library};
  if (place.library.empty()) place.library = facts.launches;
  if (place.library.empty() && !facts.programs.empty())
    place.library = facts.programs.front().second;
  if (place.library.empty()) {
    throw UsageError(
        fmt::format("--tune: '{}' does not tell the program's MPI library; --machine "
                    "mpich or --machine openmpi does",
                    options.command.front()));
  }
  static_cast<void>(launch::preload_library(place.library));
  std::string name = place.library;
  if (const auto procs = procs_of(options.command, program)) name += fmt::format("-{}", *procs);
  const char* const nodes = std::getenv("SLURM_JOB_NUM_NODES");
  if (nodes != nullptr && nodes != std::string_view{"1"}) name += fmt::format("-on-{}", nodes);
  place.folder = std::filesystem::path{options.tables} / name;
  place.database = std::filesystem::path{options.tables} / "results.db";
  return place;
}

}  // namespace breakeven::cli
