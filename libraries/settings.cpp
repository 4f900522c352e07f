// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/settings.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace breakeven::libraries {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOpenMpi = "OMPI_MCA_";
constexpr std::string_view kMpich = "MPIR_CVAR_";
// MPICH reads a variable by each of these names, the last one that is set.
constexpr std::array<std::string_view, 3> kMpichPrefixes{"MPICH_", "MPIR_PARAM_", kMpich};
constexpr std::array<std::string_view, 7> kTransports{"UCX_",  "FI_",   "HCOLL_", "SHARP_",
                                                      "PSM2_", "PSM3_", "UCC_"};
constexpr std::string_view kPreload = "LD_PRELOAD";
constexpr std::string_view kOurs = "libbreakeven";  // how the names of our preloads begin

// The frameworks and components of Open MPI that take part in a collective; all others are the
// run-time environment's.
constexpr std::array<std::string_view, 14> kOpenMpiParts{
    "coll", "btl",  "pml",  "mtl",    "bml",    "mpool", "rcache",
    "smsc", "mpi_", "opal", "common", "memory", "topo",  "accelerator"};
// Words in names of settings that change what is printed, or are the launcher's.
constexpr std::array<std::string_view, 12> kHarmless{
    "verbose", "VERBOSE", "warn",          "show_",         "LOG_",  "DEBUG_SUMMARY",
    "PRINT",   "STATS",   "event_include", "oversubscribe", "abort", "INTERFACE_HOSTNAME"};

bool begins(std::string_view text, const auto& prefixes) {
  return std::ranges::any_of(prefixes, [&](auto each) { return text.starts_with(each); });
}

/// The preloaded libraries other than our own; empty: none.
std::string without_ours(const std::string& preloaded) {
  std::string others;
  std::istringstream names{preloaded};
  for (std::string name; std::getline(names, name, ':');) {
    const bool ours = fs::path{name}.filename().string().starts_with(kOurs);
    if (!ours && !name.empty()) others += (others.empty() ? "" : ":") + name;
  }
  return others;
}

/// "UCX_TLS = tcp" of a file, which holds where the environment says nothing else.
void add_from(const fs::path& file, LibrarySettings& settings) {
  std::ifstream lines{file};
  for (std::string line; std::getline(lines, line);) {
    std::erase_if(line, [](char each) { return each == ' ' || each == '\t' || each == '\r'; });
    const std::size_t equals = line.find('=');
    if (!line.starts_with("UCX_") || equals == std::string::npos) continue;
    const std::string name = line.substr(0, equals);
    if (std::ranges::find(settings, name, &LibrarySetting::name) != settings.end()) continue;
    settings.push_back({name, line.substr(equals + 1), file.string()});
  }
}

}  // namespace

std::optional<std::string> setting_of(std::string_view library, std::string_view variable) {
  if (variable == kPreload || begins(variable, kTransports)) return std::string{variable};
  if (library == "openmpi" && variable.starts_with(kOpenMpi)) {
    return std::string{variable.substr(kOpenMpi.size())};
  }
  if (library != "mpich") return std::nullopt;
  for (const std::string_view prefix : kMpichPrefixes) {
    if (!variable.starts_with(prefix)) continue;
    return std::string{kMpich}.append(variable.substr(prefix.size()));
  }
  return std::nullopt;
}

bool changes_measurements(std::string_view setting) {
  const bool harmless = std::ranges::any_of(
      kHarmless, [&](auto word) { return setting.find(word) != std::string_view::npos; });
  if (harmless) return false;
  return setting == kPreload || setting.starts_with(kMpich) || begins(setting, kTransports) ||
         begins(setting, kOpenMpiParts);
}

Environment initial_environment() {
  Environment environment;
  std::ifstream variables{"/proc/self/environ", std::ios::binary};
  for (std::string variable; std::getline(variables, variable, '\0');) {
    const std::size_t equals = std::min(variable.find('='), variable.size());
    environment.emplace(variable.substr(0, equals),
                        equals < variable.size() ? variable.substr(equals + 1) : "");
  }
  return environment;
}

LibrarySettings transport_settings(const Environment& environment) {
  LibrarySettings settings;
  for (const auto& [name, value] : environment) {
    const bool transport = name == kPreload || begins(name, kTransports);
    if (!transport || !changes_measurements(name)) continue;
    const std::string others = name == kPreload ? without_ours(value) : value;
    if (name != kPreload || !others.empty()) settings.push_back({name, others, "environment"});
  }
  // In the order of ucs/config/parser.c, the one that holds first.
  const auto folder = environment.find("UCX_CONFIG_DIR");
  const auto home = environment.find("HOME");
  add_from("ucx.conf", settings);
  if (home != environment.end()) add_from(fs::path{home->second} / "ucx.conf", settings);
  add_from(fs::path{folder == environment.end() ? "/etc/ucx" : folder->second} / "ucx.conf",
           settings);
  return settings;
}

}  // namespace breakeven::libraries
