// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/job.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "core/error.hpp"
#include "core/folded.hpp"
#include "harness/launch/choose.hpp"

namespace breakeven::launch {

namespace {

namespace fs = std::filesystem;

/// The launcher that `breakeven worker build` linked into the folder, by its real path.
/// @throws UsageError when there is no worker of this library in the folder
std::string mpiexec_of(const fs::path& folder, std::string_view name) {
  const fs::path worker = folder / fmt::format("breakeven-worker-{}", name);
  if (!fs::exists(worker)) {
    throw UsageError(
        fmt::format("--worker: no '{}'; `breakeven worker build` makes one", worker.string()));
  }
  const fs::path mpiexec = folder / "mpiexec";
  return fs::is_symlink(mpiexec) ? fs::read_symlink(mpiexec).string() : "";
}

/// The library's text for LD_PRELOAD, which ends names at blanks: a worker finds libraries in its
/// own folder by their names.
fs::path preloadable(const fs::path& library) {
  return library.native().find(' ') == std::string::npos ? library : library.filename();
}

}  // namespace

Library describe_library(std::string_view name, const fs::path& workers,
                         const LauncherOptions& options) {
  const bool built = !options.worker.empty();  // by the user, with its library's mpiexec
  const fs::path folder = built ? fs::absolute(options.worker).lexically_normal() : workers;
  const ChosenLauncher chosen =
      choose_launcher(name, options.launcher, built ? mpiexec_of(folder, name) : "");
  Library library{.launcher = chosen.launcher,
                  .program = chosen.program,
                  .arguments = {},
                  .worker = folder / fmt::format("breakeven-worker-{}", name),
                  .yield = folder / "libbreakeven_yield.so",
                  .why = chosen.why};
  for (const std::string& text : options.arguments) {
    for (std::string& word : split_words(text)) library.arguments.push_back(std::move(word));
  }
  return library;
}

Library find_library(std::string_view name, const fs::path& workers,
                     const LauncherOptions& options) {
  Library library = describe_library(name, workers, options);
  if (!runnable(library.program)) {
    throw UsageError(
        fmt::format("launcher '{}' of machine '{}' is missing or can't be run; "
                    "--launcher names another",
                    library.program, name));
  }
  // The yield library too: the loader would only warn and leave it out, and MPICH would measure
  // scheduler ticks.
  for (const auto& [needed, mode] : {std::pair{library.worker, X_OK}, {library.yield, R_OK}}) {
    if (access(needed.c_str(), mode) == 0) continue;
    throw UsageError(fmt::format(
        "'{}', which machine '{}' needs, is missing or can't be run; install it (Debian: "
        "breakeven-{}), or `breakeven worker build` makes it",
        needed.string(), name, name));
  }
  return library;
}

ChildProcess::Command job_command(const Library& library, const JobLayout& layout) {
  JobLayout placed = layout;
  if (placed.hosts.empty()) placed.hosts = library.hosts;
  ChildProcess::Command command =
      library.launcher->command(library.program, placed, preloadable(library.yield));
  command.environment.insert(command.environment.end(), library.environment.begin(),
                             library.environment.end());
  command.arguments.insert(command.arguments.end(), library.arguments.begin(),
                           library.arguments.end());
  command.arguments.push_back(library.worker.string());
  return command;
}

void check_placement(const protocol::JobInfo& job_info, const NodeLayout& asked) {
  const NodeLayout found = recognise(job_info.nodes);
  const bool as_asked = found.procs == asked.procs && found.nodes == asked.nodes &&
                        found.procs_per_node == asked.procs_per_node &&
                        nodes_of_ranks(found) == nodes_of_ranks(asked);
  if (as_asked) return;
  constexpr std::size_t kLong = 80;  // an irregular mapping names each rank's node
  const std::string text = to_text(found);
  const std::string as = text.size() <= kLong
                             ? text
                             : fmt::format("{} x {} irregular", found.nodes, found.procs_per_node);
  throw UsageError(fmt::format("asked for {} processes as {}, the launcher placed {} as {}: {}",
                               asked.procs, to_text(asked), found.procs, as,
                               folded_placement(job_info.hosts)));
}

JobLayout place_on(const protocol::JobInfo& host, const NodeLayout& layout) {
  return {layout, layout.procs_per_node * host.nodes_on_kernel > host.cores,
          host.nodes_on_kernel > 1};
}

Probed probe(const Library& library, const NodeLayout& layout, Seconds patience, int most) {
  const int per_node = std::min(most, layout.procs_per_node);
  NodeLayout asked{
      .procs = per_node * layout.nodes, .nodes = layout.nodes, .procs_per_node = per_node};
  if (layout.mapping == Mapping::rr) asked.mapping = Mapping::rr;
  if (layout.mapping.kind() == Mapping::Kind::irregular) asked = layout;
  std::optional<protocol::JobInfo> job_info;
  std::optional<LibraryCapabilities> capabilities;
  const ChildProcess::Command command = job_command(library, {asked});
  const JobEnd end = ask(
      command, patience, {protocol::CapabilitiesRequest{}},
      [&](const protocol::JobInfo& said) { job_info = said; },
      [&](const LibraryCapabilities& said) { capabilities = said; });
  if (job_info && capabilities && end.complete()) {
    check_placement(*job_info, asked);
    capabilities->shares_memory = job_info->shares_memory;
    return {*job_info, *capabilities, command, asked};
  }
  throw UsageError(fmt::format("the job '{}' failed: {}", to_text(command), end.outcome));
}

}  // namespace breakeven::launch
