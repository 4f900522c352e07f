// SPDX-License-Identifier: BSD-3-Clause
// MPICH looks at its control variables at each call, on all communicators: they are set around what
// is measured. Each rank sets its own, and calls of a collective come in the same order on all.
#include "libraries/forced/forced_algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/error.hpp"
#include "libraries/forced/mpich/variables.hpp"
#include "libraries/forced/tools.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "libraries/mpich_parameters.hpp"

namespace breakeven::forced {

namespace {

constexpr auto kDevice = "MPIR_CVAR_DEVICE_COLLECTIVES";

/// A variable with the number that it gets while the algorithm is enforced.
struct Setting {
  ControlVariable variable;
  int enforced = 0;
  int before = 0;

  Setting(const std::string& name, int value)
      : variable{require(name)}, enforced{value}, before{variable.number().value_or(0)} {}

 private:
  static ControlVariable require(const std::string& name) {
    auto found = ControlVariable::find(name);
    if (!found) throw UsageError(fmt::format("this MPICH has no variable {}", name));
    return std::move(*found);
  }
};

/// Where the case's algorithm is in the list, counted from `first` on.
int value_of(const Case& what, const std::vector<std::string>& choices, int first) {
  const auto found = std::ranges::find(choices, what.variant.library()->name);
  if (found == choices.end()) {
    throw UsageError(fmt::format("{}: this library has no such algorithm", algorithm_text(what)));
  }
  return static_cast<int>(found - choices.begin()) + first;
}

/// Of a variable that has words.
Setting word(const std::string& variable, std::string_view value) {
  return {variable, mpich::number_of(variable, value)};
}

std::vector<Setting> algorithm_settings(const Case& what) {
  std::vector<Setting> settings;
  settings.emplace_back(mpich::algorithm_variable(what.collective, what.form),
                        value_of(what, mpich::algorithm_choices(what.collective, what.form), 0));
  // The device's own compositions would call the algorithm on other communicators, if at all.
  settings.push_back(word(kDevice, "none"));
  // The environment's values of the algorithm's parameters are not those of the case.
  const auto* const known = libraries::find_library_algorithm(what);
  if (known == nullptr) return settings;
  for (const auto& parameter : libraries::mpich::parameters_of(*known)) {
    if (parameter.variable.empty()) continue;
    settings.emplace_back(
        libraries::mpich::variable_name(what.collective, parameter.variable, what.form),
        libraries::mpich::value_of(parameter, what));
  }
  return settings;
}

/// A composition leaves it to the library which algorithms it puts together.
std::vector<Setting> composition_settings(const Case& what) {
  std::vector<Setting> settings;
  settings.emplace_back(mpich::composition_variable(what.collective),
                        value_of(what, mpich::composition_choices(what.collective), 1));
  settings.push_back(word(mpich::algorithm_variable(what.collective), mpich::kAuto));
  settings.push_back(word(kDevice, "all"));
  return settings;
}

}  // namespace

bool forces_each_call(const Case& what) {
  return !libraries::mpich::is_composition(what.variant.library()->name);
}

ForcedAlgorithm::ForcedAlgorithm(const Case& what, MPI_Comm comm, Unable unable) : comm_{comm} {
  const std::string_view name = what.variant.library()->name;
  const bool composition = !forces_each_call(what);
  if (composition && what.form != CallForm::blocking) {
    throw UsageError(fmt::format("{}: MPICH composes blocking calls alone", algorithm_text(what)));
  }
  // Shared because std::function wants to be copied, which a variable must not be.
  const auto settings = std::make_shared<std::vector<Setting>>(
      composition ? composition_settings(what) : algorithm_settings(what));
  // The memory that several leaders share is as large as the first message on a communicator: each
  // case gets a communicator of its own, so that it never runs in another one's memory.
  if (composition) own_comm_ = std::make_unique<executor::Communicator>(comm);
  // smp calls itself on the ranks of one node and counts on the fall-back there.
  if (unable == Unable::fails && name != "smp") {
    settings->push_back(word("MPIR_CVAR_COLLECTIVE_FALLBACK", "error"));
  }
  set_ = [settings](bool enforced) {
    for (const Setting& setting : *settings) {
      if (!setting.variable.set(enforced ? setting.enforced : setting.before)) {
        throw Error("MPICH took no value by MPI_T");
      }
    }
  };
}

}  // namespace breakeven::forced
