// SPDX-License-Identifier: BSD-3-Clause
#include "executor/charge.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Host.hpp>
#include <string_view>

#include "core/error.hpp"
#include "core/units.hpp"

namespace breakeven::executor {

namespace {

double read_gamma() {
  const char* given = std::getenv(kGammaVariable);
  if (given == nullptr) return 0;
  const std::string_view text{given};
  if (const auto value = number_in(text, 0.0)) return *value;
  throw UsageError(fmt::format("{}='{}' is not seconds per byte", kGammaVariable, text));
}

}  // namespace

double gamma_per_byte() {
  static const double gamma = read_gamma();
  return gamma;
}

/// As work of the rank's core, so that ranks that share one slow each other down.
void charge_reduction(std::int64_t bytes) {
  const double seconds = gamma_per_byte() * static_cast<double>(bytes);
  if (seconds > 0) {
    namespace actor = simgrid::s4u::this_actor;
    actor::execute(seconds * actor::get_host()->get_speed());
  }
}

}  // namespace breakeven::executor
