// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/forced/mpich/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/error.hpp"
#include "libraries/forced/mpich/library_memory.hpp"
#include "libraries/forced/tools.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "libraries/mpich_parameters.hpp"

namespace breakeven::forced::mpich {

namespace {

std::vector<std::string_view> known_names(Collective collective, CallForm form) {
  std::vector<std::string_view> names{kAuto};
  for (const libraries::KnownLibrary& library : libraries::known_libraries()) {
    if (library.name != "mpich") continue;
    for (const libraries::LibraryAlgorithm& algorithm : library.of(form)) {
      if (algorithm.collective == collective) names.push_back(algorithm.name);
    }
  }
  return names;
}

}  // namespace

std::string algorithm_variable(Collective collective, CallForm form) {
  return libraries::mpich::variable_name(collective, "INTRA_ALGORITHM", form);
}

std::string composition_variable(Collective collective) {
  return libraries::mpich::variable_name(collective, "COMPOSITION");
}

std::vector<std::string> algorithm_choices(Collective collective, CallForm form) {
  const auto variable = ControlVariable::find(algorithm_variable(collective, form));
  if (!variable) return {};
  std::vector<std::string_view> names = known_names(collective, form);
  std::vector<std::string> choices = libraries::mpich::listed_words(variable->description(), names);
  if (std::ranges::find(choices, "") == choices.end()) return choices;
  std::vector<std::string> others;
  for (const std::string_view part : library_memory()) {
    std::ranges::move(algorithms_in(part, collective, form), std::back_inserter(others));
  }
  names.insert(names.end(), others.begin(), others.end());
  return libraries::mpich::listed_words(variable->description(), names);
}

std::vector<std::string> composition_choices(Collective collective) {
  const auto variable = ControlVariable::find(composition_variable(collective));
  if (!variable) return {};
  const std::size_t listed = libraries::mpich::listed_numbers(variable->description());
  std::vector<std::string> choices;
  for (const libraries::LibraryAlgorithm& each : libraries::mpich::compositions()) {
    if (each.collective == collective && choices.size() < listed) choices.emplace_back(each.name);
  }
  return choices;
}

int number_of(const std::string& variable, std::string_view word) {
  const auto found = ControlVariable::find(variable);
  if (!found) throw Error(fmt::format("this MPICH has no variable {}", variable));
  const std::array known{word};
  const std::vector<std::string> choices =
      libraries::mpich::listed_words(found->description(), known);
  const auto choice = std::ranges::find(choices, word);
  if (choice == choices.end()) {
    throw Error(fmt::format("{} of this MPICH has no value '{}'", variable, word));
  }
  return static_cast<int>(choice - choices.begin());
}

}  // namespace breakeven::forced::mpich
