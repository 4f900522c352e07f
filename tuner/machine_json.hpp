// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "core/launch.hpp"

namespace breakeven::tuner {

/// The machine, as every document for the plots begins.
[[nodiscard]] inline nlohmann::ordered_json machine_json(const Machine& machine) {
  return {{"name", machine.name},
          {"kind", kMachineKinds.of(machine.kind)},
          {"library_version", machine.library_version},
          {"cpu", machine.cpu},
          {"settings", to_text(machine.settings)}};
}

}  // namespace breakeven::tuner
