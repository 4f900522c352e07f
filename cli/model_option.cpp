// SPDX-License-Identifier: BSD-3-Clause
#include "cli/model_option.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/plan/model_machine.hpp"

namespace breakeven::cli {

sim::MachineDescription model_of(const std::string& machine) {
  plan::Model model = plan::parse_model(machine);
  model.machine.name = plan::to_text(model);
  if (model.exact()) return model.machine;
  throw UsageError(fmt::format("model '{}': a time that is computed has no noise", machine));
}

}  // namespace breakeven::cli
