// SPDX-License-Identifier: BSD-3-Clause
#include "cli/model_option.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/plan/model.hpp"

namespace breakeven::cli {

sim::MachineDescription model_of(const std::string& machine) {
  if (!launch::launchers_of(machine).empty()) {
    throw UsageError(
        fmt::format("{} is a library, which is measured; `breakeven fit --machine {} --procs 4 "
                    "--out here.toml` makes a model of it",
                    machine, machine));
  }
  sim::MachineDescription found = plan::parse_exact_model(machine);
  found.name = plan::to_text(plan::Model{.machine = found});
  return found;
}

}  // namespace breakeven::cli
