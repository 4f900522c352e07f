// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "libraries/mpich_parameters.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/mpich/cvars.hpp"
#include "tables/formats/mpich/head.hpp"
#include "tables/formats/mpich/names.hpp"

namespace breakeven::formats::mpich {

namespace {

/// The variables that a file sets for a collective.
struct Setting {
  std::string algorithm{};               ///< "ring", "composition_alpha"
  int composition = 0;                   ///< its number, if it is one
  std::map<std::string, int> numbers{};  ///< parameters, by the ends of their variables' names
  std::map<std::string, int> lines{};    ///< in which each variable is set, likewise

  /// 0: it is not set.
  [[nodiscard]] int line_of(std::string_view end) const {
    const auto found = lines.find(std::string{end});
    return found == lines.end() ? 0 : found->second;
  }
};
using Settings = std::map<Collective, Setting>;

/// A variable's choice holds for every call that the library finds fit for it.
Answer answer(const Settings& settings, const Case& problem) {
  const auto found = settings.find(problem.collective);
  if (found == settings.end()) return {.rule = "no variable of this collective is set"};
  const Setting& setting = found->second;
  Case what = with_variant(problem, LibraryOwn{"mpich", setting.algorithm});
  if (const auto* algorithm = libraries::find_library_algorithm(what)) {
    what.variant = variant_of(*algorithm, [&](const auto& parameter) -> std::string {
      const auto number = setting.numbers.find(std::string{parameter.variable});
      return number == setting.numbers.end() ? "" : std::to_string(number->second);
    });
  }
  Answer answer{.variant = what.variant,
                .number = setting.composition,
                .line = setting.line_of(setting.composition != 0 ? kComposition : kAlgorithm),
                .rule = "any p, size and communicator"};
  for (const libraries::Requirement& each : libraries::requirements_of(what)) {
    if (each.demand != libraries::Demand::commuting && each.demand != libraries::Demand::built_in) {
      continue;
    }
    answer.notes.push_back(fmt::format("MPICH decides itself for {}", demand_text(each.demand)));
  }
  if (const auto reason = libraries::refusal(what)) {
    answer.variant = Native{};
    answer.notes = {
        fmt::format("MPICH decides itself instead of {}, which {}", algorithm_text(what), *reason)};
  }
  return answer;
}

class Reader {
 public:
  Reader(std::string_view text, std::optional<Series> series) : text_{text}, series_{series} {}

  void read(std::string_view line) {
    ++number_;
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) return;
    if (line.ends_with('\r')) {
      return fail(
          "the line ends in a carriage return, which a shell makes a part of the value: "
          "MPI_Init would end the program; save it with the line ends of Unix");
    }
    const std::size_t sign = line.find('=');
    if (!line.starts_with(kExport) || sign == std::string_view::npos) {
      return fail(fmt::format("'{}' is not 'export VARIABLE=VALUE'", line));
    }
    const std::string_view name = line.substr(kExport.size(), sign - kExport.size());
    if (!set(name, line.substr(sign + 1))) fail(fmt::format("no variable '{}' is known", name));
  }

  ReadTable end() && {
    for (const auto& [collective, setting] : settings_) check(collective, setting);
    ReadTable read{.faults = std::move(faults_)};
    if (!read.faults.empty()) return read;
    for (const auto& [collective, setting] : settings_) read.collectives.insert(collective);
    read.answer = [settings = std::move(settings_)](const Case& problem) {
      return answer(settings, problem);
    };
    return read;
  }

 private:
  bool set(std::string_view name, std::string_view value) {
    for (const auto& entry : kCollectives.entries) {
      const std::string before = libraries::mpich::variable_name(entry.value, "");
      if (!name.starts_with(before)) continue;
      const std::string_view end = name.substr(before.size());
      if (!set(entry.value, end, value)) continue;  // of a collective with a longer name
      if (!settings_[entry.value].lines.emplace(end, number_).second) fail("it was set before");
      return true;
    }
    return false;
  }

  bool set(Collective collective, std::string_view end, std::string_view value) {
    if (end == kDevice) {
      if (value != "0") {
        fail(fmt::format("{} is {}, not 0", libraries::mpich::variable_name(collective, end),
                         value));
      }
      return true;
    }
    if (end == kAlgorithm) return set_algorithm(collective, value);
    const bool composition = end == kComposition && !compositions_of(collective).empty();
    if (!composition && !takes_number(collective, end)) return false;
    const int number = number_in<int>(value).value_or(0);
    if (number < 1) {
      fail(fmt::format("'{}' is no number of at least 1", value));
    } else if (composition) {
      set_composition(collective, number);
    } else {
      settings_[collective].numbers.emplace(end, number);
    }
    return true;
  }

  bool set_algorithm(Collective collective, std::string_view value) {
    const std::string_view name = kCollectives.of(collective);
    if (!knows_algorithm(name, value, series_)) {
      fail(fmt::format("this version of MPICH has no {} '{}': it would end at MPI_Init", name,
                       value));
    }
    settings_[collective].algorithm = value;
    return true;
  }

  void set_composition(Collective collective, int number) {
    const auto names = compositions_of(collective);
    if (series_ == Series::v4_0) {
      return fail("this version of MPICH has no variables for compositions");
    }
    if (number > static_cast<int>(names.size())) {
      return fail(fmt::format("{} has {} compositions, and no number {}",
                              kCollectives.of(collective), names.size(), number));
    }
    settings_[collective].algorithm = names[static_cast<std::size_t>(number - 1)];
    settings_[collective].composition = number;
  }

  /// Whether a parameter of some algorithm of the collective has a variable whose name ends so.
  static bool takes_number(Collective collective, std::string_view end) {
    return std::ranges::any_of(mpich_algorithms_of(collective), [&](const auto* algorithm) {
      return std::ranges::any_of(
          libraries::mpich::parameters_of(*algorithm),
          [&](const auto& each) { return !each.param.empty() && each.variable == end; });
    });
  }

  static std::vector<const libraries::LibraryAlgorithm*> mpich_algorithms_of(
      Collective collective) {
    std::vector<const libraries::LibraryAlgorithm*> found;
    for (const libraries::KnownLibrary& library : libraries::known_libraries()) {
      if (library.name != "mpich") continue;
      for (const libraries::LibraryAlgorithm& each : library.algorithms) {
        if (each.collective == collective) found.push_back(&each);
      }
    }
    return found;
  }

  void check(Collective collective, const Setting& setting) {
    const std::string algorithm = libraries::mpich::variable_name(collective, kAlgorithm);
    const std::string device = libraries::mpich::variable_name(collective, kDevice);
    Case what{.collective = collective, .variant = LibraryOwn{"mpich", setting.algorithm}};
    if (const int composition = setting.line_of(kComposition); composition != 0) {
      number_ = composition;
      if (setting.line_of(kDevice) != 0 || setting.line_of(kAlgorithm) != 0) {
        fail(fmt::format("{} or {} is set as well: what runs is no composition alone", algorithm,
                         device));
      }
    } else if (setting.line_of(kAlgorithm) != 0) {
      check_numbers(what, setting);
      number_ = setting.line_of(kAlgorithm);
      if (setting.line_of(kDevice) == 0) {
        fail(fmt::format("{}=0 is missing: without it the device's own form may run instead",
                         device));
      }
    } else {
      check_numbers(what, setting);
      if (setting.line_of(kDevice) == 0) return;
      number_ = setting.line_of(kDevice);
      return fail(
          fmt::format("the device's own form is off, but no {} says what runs instead", algorithm));
    }
    if (auto harm = unsafe_rule(text_, what)) fail(*std::move(harm));
  }

  /// @param what  whose algorithm has to have the parameters
  void check_numbers(const Case& what, const Setting& setting) {
    const libraries::LibraryAlgorithm* algorithm = libraries::find_library_algorithm(what);
    const auto parameters = algorithm == nullptr ? std::span<const libraries::mpich::Parameter>{}
                                                 : libraries::mpich::parameters_of(*algorithm);
    for (const auto& [end, number] : setting.numbers) {
      if (std::ranges::find(parameters, end, &libraries::mpich::Parameter::variable) !=
          parameters.end())
        continue;
      number_ = setting.lines.at(end);
      fail(fmt::format("{} is of no use with the algorithm that the file sets, if any",
                       libraries::mpich::variable_name(what.collective, end)));
    }
  }

  void fail(std::string reason) {
    faults_.push_back({.line = number_, .reason = std::move(reason)});
  }

  std::string_view text_;
  std::optional<Series> series_;
  int number_ = 0;
  Settings settings_{};
  std::vector<ReadTable::Fault> faults_{};
};

}  // namespace

ReadTable read_cvars(std::string_view text) {
  if (const auto fault = unknown_version(text)) return {.faults = {*fault}};
  Reader reader{text, series_in(text)};
  for (const std::string_view line : lines_of(text)) reader.read(line);
  return std::move(reader).end();
}

}  // namespace breakeven::formats::mpich
