// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/library_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "core/error.hpp"
#include "libraries/settings.hpp"

namespace breakeven::session {

namespace {

constexpr std::string_view kEnvironment = "environment";

std::string name_in(std::string_view variable) {
  return std::string{variable.substr(0, variable.find('='))};
}

/// The variables of this process that are settings, as "NAME=VALUE".
std::vector<std::string> variables_of(std::string_view library) {
  std::vector<std::string> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const auto setting = libraries::setting_of(library, name_in(*each));
    if (setting && libraries::changes_measurements(*setting)) variables.emplace_back(*each);
  }
  return variables;
}

/// The loaded module file that names the variable; empty: none.
std::string module_file_of(const std::string& variable) {
  const char* const loaded = std::getenv("_LMFILES_");
  std::istringstream files{loaded == nullptr ? "" : loaded};
  for (std::string file; std::getline(files, file, ':');) {
    std::ifstream text{file};
    for (std::string line; std::getline(text, line);) {
      if (line.find(variable) != std::string::npos) return file;
    }
  }
  return {};
}

std::string origin_of(const LibrarySetting& setting, std::string_view library,
                      const std::vector<std::string>& variables,
                      const launch::ChildProcess::Command& command) {
  for (const std::string& each : variables) {
    if (libraries::setting_of(library, name_in(each)) != setting.name) continue;
    const std::string module = module_file_of(name_in(each));
    return module.empty() ? setting.origin : fmt::format("module file {}", module);
  }
  const bool asked = std::ranges::any_of(command.arguments, [&](const std::string& word) {
    return word.find(setting.name) != std::string::npos;
  });
  return asked ? "command line" : fmt::format("{} of the ranks", setting.origin);
}

}  // namespace

LibrarySettings with_origins(LibrarySettings settings, std::string_view library,
                             const launch::ChildProcess::Command& command) {
  const std::vector<std::string> variables = variables_of(library);
  for (LibrarySetting& each : settings) {
    if (!each.origin.starts_with(kEnvironment)) continue;
    each.origin = origin_of(each, library, variables, command);
  }
  return settings;
}

std::string clean_environment(std::string_view library) {
  const std::vector<std::string> variables = variables_of(library);
  for (const std::string& each : variables) unsetenv(name_in(each).c_str());
  return fmt::format("--clean-environment unset {}",
                     variables.empty() ? "nothing" : fmt::format("{}", fmt::join(variables, " ")));
}

void require_settings(const LibrarySettings& found, const LibrarySettings& of_machine,
                      std::string_view library, const launch::ChildProcess::Command& command) {
  std::set<std::string> ours{"mpi_yield_when_idle"};  // where cores are shared
  for (const std::string& variable : command.environment) {
    if (auto setting = libraries::setting_of(library, name_in(variable))) ours.insert(*setting);
  }
  const auto without_ours = [&](LibrarySettings settings) {
    std::erase_if(settings, [&](const LibrarySetting& it) { return ours.contains(it.name); });
    return settings;
  };
  const std::string changed = difference(without_ours(found), without_ours(of_machine));
  if (changed.empty()) return;
  throw UsageError(fmt::format(
      "this launch has other settings of {} than the sweep's first one: {}", library, changed));
}

}  // namespace breakeven::session
