// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

#include "harness/launch/choose.hpp"
#include "harness/launch/program.hpp"

namespace breakeven::launch {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::string_view kColon = ":";  // between the parts of a job of several programs

// Frequent options of Hydra's and Open MPI's mpiexec, by the number of words that follow.
// @see mpiexec -help of MPICH 4.0, mpirun(1) of Open MPI 4.1
constexpr std::array<std::string_view, 3> kOptions{
    " l q v quiet verbose genvall genvnone envall envnone prepend-rank oversubscribe "
    "nooversubscribe allow-run-as-root tag-output timestamp-output report-bindings "
    "use-hwthread-cpus display-map display-allocation ",
    " n np c N ppn npernode f hostfile machinefile host hosts H x bind-to map-by rank-by genvlist "
    "envlist launcher iface ",
    " genv env mca gmca "};

/// The number of words that follow an option; nothing where it isn't known.
std::optional<std::size_t> values_of(std::string_view option) {
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  const auto found = std::ranges::find_if(kOptions, [&](std::string_view options) {
    return options.find(fmt::format(" {} ", option)) != std::string_view::npos;
  });
  if (found == kOptions.end()) return std::nullopt;
  return found - kOptions.begin();
}

/// The program of each part of mpiexec's arguments; none where an option is not known.
Words started_by_mpiexec(const Words& words) {
  Words programs;
  bool found = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kColon) {
      found = false;
    } else if (!found && words[i].starts_with('-')) {
      const auto values = values_of(words[i]);
      if (!values) return {};
      i += *values;
    } else if (!found) {
      programs.push_back(words[i]);
      found = true;
    }
  }
  return programs;
}

/// Why a shell would not run a program; empty: it would.
std::string refusal_of(const std::string& program) {
  if (!path_of(program).empty()) return "";
  std::error_code ignored;
  if (program.find('/') == std::string::npos)
    return fmt::format("no program '{}' in PATH", program);
  if (fs::is_directory(program, ignored)) return fmt::format("'{}' is a folder", program);
  if (fs::exists(program, ignored)) return fmt::format("'{}' is not executable", program);
  return fmt::format("no program '{}'", program);
}

/// The library whose names are in a text; empty: none, or both.
std::string named_in(const std::string& text, std::initializer_list<const char*> of_open_mpi,
                     const char* of_mpich) {
  const auto is_in = [&](const char* name) { return text.find(name) != std::string::npos; };
  const bool open_mpi = std::ranges::any_of(of_open_mpi, is_in);
  if (open_mpi == is_in(of_mpich)) return "";
  return open_mpi ? "openmpi" : "mpich";
}

/// The MPI library that a program loads: empty for none, for scripts, and where it is not known.
std::string library_of(const std::string& program) {
  const std::string path = path_of(program);
  if (path.empty()) return "";
  const std::string loads = output_of({.arguments = {"ldd", path}});
  // Of Open MPI's launcher, which is no program of MPI, all but libmpi.
  if (loads.find("libmpi.so.") == std::string::npos) return named_in(loads, {}, "libmpich.so.");
  return named_in(loads, {"libopen-pal.so."}, "libmpich.so.");
}

}  // namespace

CommandFacts facts_of(const std::vector<std::string>& command) {
  CommandFacts facts{.missing = refusal_of(command.front())};
  if (!facts.missing.empty()) return facts;
  const auto mpiexec = std::ranges::find_if(
      command, [](const std::string& word) { return is_mpiexec(word) && !path_of(word).empty(); });
  if (mpiexec != command.end()) {
    facts.launches = named_in(output_of({.arguments = {*mpiexec, "--version"}}),
                              {"Open MPI", "OpenRTE", "PRRTE"}, "HYDRA");
    if (!facts.launches.empty()) facts.launcher = *mpiexec;
    for (const std::string& program : started_by_mpiexec({mpiexec + 1, command.end()})) {
      facts.missing = refusal_of(program);
      if (!facts.missing.empty()) return facts;
    }
  }
  bool found = false;
  for (const std::string& word : command) {
    if (word == kColon) found = false;
    const std::string library = found ? "" : library_of(word);
    found = found || !library.empty();
    if (!library.empty()) facts.programs.emplace_back(word, library);
  }
  return facts;
}

}  // namespace breakeven::launch
