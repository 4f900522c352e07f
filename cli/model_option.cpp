// SPDX-License-Identifier: BSD-3-Clause
#include "cli/model_option.hpp"

#include "harness/plan/model.hpp"

namespace breakeven::cli {

sim::MachineDescription model_of(const std::string& machine) {
  sim::MachineDescription found = plan::parse_exact_model(machine);
  found.name = plan::to_text(plan::Model{.machine = found});
  return found;
}

}  // namespace breakeven::cli
