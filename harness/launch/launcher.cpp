// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace breakeven {

std::span<const Launcher* const> launchers() {
  static const std::vector<const Launcher*> found = [] {
    std::vector<const Launcher*> built{&hydra, &openmpi, &smpi};
    std::erase_if(built, [](const Launcher* launcher) { return launcher->program.empty(); });
    return built;
  }();
  return found;
}

const Launcher& find_launcher(std::string_view library) {
  const auto found = std::ranges::find(launchers(), library, &Launcher::library);
  if (found != launchers().end()) return **found;
  std::string known;
  for (const Launcher* launcher : launchers()) known += fmt::format(" {}", launcher->library);
  throw UsageError(
      fmt::format("no machine '{}'; known:{} and models as "
                  "postal:alpha=SECONDS,beta=SECONDS_PER_BYTE,gamma=SECONDS_PER_BYTE",
                  library, known));
}

}  // namespace breakeven
