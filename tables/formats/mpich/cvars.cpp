// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/cvars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "libraries/mpich_parameters.hpp"
#include "tables/formats/common/choices.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/mpich/head.hpp"
#include "tables/formats/mpich/names.hpp"

namespace breakeven::formats::mpich {

namespace {

constexpr std::string_view kUse =
    R"(Apply, in the shell that starts jobs:   . ./mpich_cvars.sh
Undo: unset the variables below.
A variable holds on every communicator, for every number of processes and every size, measured or
not; where the algorithm can't run, the library takes its own choice of another one. Its _DEVICE_
variable switches off the device's own form of the collective, which would otherwise run instead; a
_COMPOSITION variable says which form the device's is to be.
)";

std::string export_line(const Case& what, std::string_view end, std::string_view value) {
  return fmt::format("{}{}={}\n", kExport,
                     libraries::mpich::variable_name(what.collective, end, what.form), value);
}

/// Lines that set the algorithm and its unusual parameters.
std::string lines_of_algorithm(const Case& what, Series series) {
  static_cast<void>(algorithm_leaf(what, series));  // of this version, or it throws
  std::string lines = export_line(what, kAlgorithm, what.variant.library()->name);
  for (const auto& parameter :
       libraries::mpich::parameters_of(*libraries::find_library_algorithm(what))) {
    const int value = libraries::mpich::value_of(parameter, what);
    if (value == parameter.usual) continue;
    lines += export_line(what, parameter.variable, std::to_string(value));
  }
  // Of nonblocking calls the device has no form of its own.
  return what.form == CallForm::blocking ? lines + export_line(what, kDevice, "0") : lines;
}

std::string line_of_composition(const Case& what, Series series) {
  static_cast<void>(composition_leaf(what, series));  // of this version, or it throws
  const auto names = compositions_of(what.collective);
  const auto found = std::ranges::find(names, what.variant.library()->name);
  return export_line(what, kComposition, std::to_string(found - names.begin() + 1));
}

/// Requirements that the library doesn't check where a variable chooses the algorithm.
std::vector<libraries::Requirement> unseen_by_variables(const Case& what) {
  std::vector<libraries::Requirement> left = libraries::requirements_of(what);
  std::erase_if(left, [&](const libraries::Requirement& each) {
    return (each.demand == libraries::Demand::commuting ||
            each.demand == libraries::Demand::built_in) &&
           libraries::can_guard(what, each.demand);
  });
  return left;
}

}  // namespace

Emitted emit_cvars(const tables::Table& table, const tables::Provenance& provenance) {
  const Series series = series_of(provenance);
  Emitted emitted;
  std::string lines;
  for (const Case& what : single_choices(table, emitted.degraded)) {
    if (const auto harms = unseen_by_variables(what); !harms.empty()) {
      emitted.degraded.push_back(
          fmt::format("{}: {}", algorithm_text(what), libraries::harm_of(harms)));
      if (!provenance.allowed_unsafe.contains(libraries::algorithm_name(what))) continue;
    }
    const LibraryOwn* const own = what.variant.library();
    const bool composition = own != nullptr && libraries::mpich::is_composition(own->name);
    lines += composition ? line_of_composition(what, series) : lines_of_algorithm(what, series);
  }
  for (const std::string& line : head_lines(table, provenance, kUse, emitted.degraded)) {
    emitted.text += line.empty() ? "#\n" : fmt::format("# {}\n", line);
  }
  emitted.text += lines;
  return emitted;
}

bool is_cvars(std::string_view text) {
  return text.find("\"collective=") == std::string_view::npos &&
         text.find(kPrefix) != std::string_view::npos;
}

}  // namespace breakeven::formats::mpich
