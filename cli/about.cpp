// SPDX-License-Identifier: BSD-3-Clause
#include "cli/about.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>

#include "core/version.hpp"
#include "results/database.hpp"

namespace breakeven::cli {

namespace {

/// "Debian GNU/Linux 12 (bookworm)"; "Linux" where the system does not say.
std::string distribution() {
  constexpr std::string_view kKey = "PRETTY_NAME=\"";
  std::ifstream file{"/etc/os-release"};
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kKey)) return line.substr(kKey.size(), line.rfind('"') - kKey.size());
  }
  return "Linux";
}

}  // namespace

std::string about_text() {
  utsname kernel{};
  uname(&kernel);
  return fmt::format(
      "breakeven {} ({})\n"
      "compiler: {}\n"
      "MPI:      {}\n"
      "SQLite:   {}\n"
      "system:   {}, {} {} on {}",
      kVersion, kGitCommit, kCompiler, kMpiLibraries.empty() ? "none" : kMpiLibraries,
      results::sqlite_version(), distribution(), kernel.sysname, kernel.release, kernel.machine);
}

}  // namespace breakeven::cli
