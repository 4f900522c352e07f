// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/forced/settings.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "libraries/forced/control_variable.hpp"
#include "libraries/settings.hpp"

namespace breakeven::forced {

// The environment is all that sets MPICH's variables. Those that it doesn't know have no effect.
LibrarySettings settings_in_force() {
  const libraries::Environment environment = libraries::initial_environment();
  LibrarySettings settings = libraries::transport_settings(environment);
  std::set<std::string> names;
  for (const auto& [variable, value] : environment) {
    const auto name = libraries::setting_of("mpich", variable);
    if (name && libraries::changes_measurements(*name)) names.insert(*name);
  }
  for (const std::string& name : names) {
    const auto variable = ControlVariable::find(name);
    if (variable) settings.push_back({name, variable->text().value_or("?"), "environment"});
  }
  std::ranges::sort(settings, {}, &LibrarySetting::name);
  return settings;
}

}  // namespace breakeven::forced
