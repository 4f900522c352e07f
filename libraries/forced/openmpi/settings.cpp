// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/settings.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "libraries/forced/tools.hpp"

namespace breakeven::forced {

namespace {

/// opal/mca/base/mca_base_var.h: what a value comes from. MPI_T tells values, not their sources.
enum class Source : int { fallback, command_line, environment, file, set, override_file };

/// Where a variable's value comes from; nothing where it is the library's own.
std::optional<std::string> origin_of(const char* variable) {
  using Find = int(const char*, int*);
  using GetValue = int(int, const void*, Source*, const char**);
  static auto* const find =
      reinterpret_cast<Find*>(dlsym(RTLD_DEFAULT, "mca_base_var_find_by_name"));
  static auto* const get =
      reinterpret_cast<GetValue*>(dlsym(RTLD_DEFAULT, "mca_base_var_get_value"));
  int index = 0;
  Source source{};
  const char* file = nullptr;
  if (find == nullptr || get == nullptr || find(variable, &index) != 0) return std::nullopt;
  if (get(index, nullptr, &source, &file) != 0) return std::nullopt;
  switch (source) {
    case Source::fallback:
    case Source::set: return std::nullopt;
    case Source::environment: return "environment";
    case Source::command_line: return "command line";
    default: return file == nullptr ? "a file of parameters" : file;
  }
}

}  // namespace

LibrarySettings settings_in_force() {
  LibrarySettings settings = libraries::transport_settings(libraries::initial_environment());
  int count = 0;
  MPI_T_cvar_get_num(&count);
  for (int index = 0; index < count; ++index) {
    std::array<char, 256> name{};
    int length = static_cast<int>(name.size());
    int none = 0;
    int verbosity = 0;
    int bind = 0;
    int scope = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (MPI_T_cvar_get_info(index, name.data(), &length, &verbosity, &type, nullptr, nullptr, &none,
                            &bind, &scope) != MPI_SUCCESS) {
      continue;
    }
    if (!libraries::changes_measurements(name.data())) continue;
    const std::optional<std::string> origin = origin_of(name.data());
    if (!origin) continue;
    const auto variable = ControlVariable::find(name.data());
    settings.push_back({name.data(), variable ? variable->text().value_or("?") : "?", *origin});
  }
  std::ranges::sort(settings, {}, &LibrarySetting::name);
  return settings;
}

}  // namespace breakeven::forced
