// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/settings.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "libraries/forced/tools.hpp"

namespace breakeven::forced {

// The environment is all that sets MPICH's variables; of several names of one, the last in the
// order of the alphabet holds. Those that MPICH doesn't know have no effect.
LibrarySettings settings_in_force() {
  const libraries::Environment environment = libraries::initial_environment();
  LibrarySettings settings = libraries::transport_settings(environment);
  std::map<std::string, std::string> values;
  for (const auto& [variable, value] : environment) {
    const auto name = libraries::setting_of("mpich", variable);
    if (name && libraries::changes_measurements(*name)) values[*name] = value;
  }
  for (const auto& [name, value] : values) {
    const bool transport =
        std::ranges::find(settings, name, &LibrarySetting::name) != settings.end();
    if (!transport && ControlVariable::find(name)) settings.push_back({name, value, "environment"});
  }
  std::ranges::sort(settings, {}, &LibrarySetting::name);
  return settings;
}

}  // namespace breakeven::forced
