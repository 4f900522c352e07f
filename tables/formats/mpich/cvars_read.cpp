// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "libraries/mpich_parameters.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/common/shell_script.hpp"
#include "tables/formats/mpich/cvars.hpp"
#include "tables/formats/mpich/head.hpp"
#include "tables/formats/mpich/names.hpp"

namespace breakeven::formats::mpich {

namespace {

/// The variables that a file sets for calls of a collective.
struct Setting {
  std::string algorithm{};               ///< "ring", "composition_alpha"; empty: the library's
  int composition = 0;                   ///< its number, if it is one
  bool device_off = false;               ///< unless kDevices is "all"
  std::map<std::string, int> numbers{};  ///< parameters, by the ends of their variables' names
  std::map<std::string, int> lines{};    ///< in which each variable is set, likewise

  /// 0: it is not set.
  [[nodiscard]] int line_of(std::string_view end) const {
    const auto found = lines.find(std::string{end});
    return found == lines.end() ? 0 : found->second;
  }
};
using Settings = std::map<Case, Setting>;  // by collective and form alone

Case call_of(const Case& problem) {
  return {.collective = problem.collective, .form = problem.form};
}

/// A variable's choice holds for every call that the library finds fit for it.
Answer answer(const Settings& settings, const Case& problem) {
  const auto found = settings.find(call_of(problem));
  if (found == settings.end()) {
    return {.rule = fmt::format("no variable of {} is set",
                                call_name(problem.collective, problem.form))};
  }
  const Setting& setting = found->second;
  if (setting.algorithm.empty()) {
    return {.line = setting.line_of(kDevice), .rule = "no variable chooses an algorithm"};
  }
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
  Reader(std::string_view text, std::optional<Series> series)
      : text_{text}, series_{series}, script_{text} {}

  ReadTable read() && {
    read_.advice = std::move(script_.not_understood);
    for (const auto& [name, variable] : script_.variables) {
      line_ = variable.line;
      if (line_ == 0 || !name.starts_with(kPrefix)) continue;
      if (!variable.exported) {
        advise(fmt::format("{} is not exported: programs don't see it", name));
      } else if (variable.value.ends_with('\r')) {
        fail(
            "the line ends in a carriage return, which a shell makes a part of the value: "
            "MPI_Init would end the program; save it with the line ends of Unix");
      } else {
        set(name, variable);
      }
    }
    for (auto& [call, setting] : settings_) check(call, setting);
    std::ranges::stable_sort(read_.faults, {}, &ReadTable::Fault::line);
    std::ranges::stable_sort(read_.advice, {}, &ReadTable::Fault::line);
    if (!read_.faults.empty()) return std::move(read_);
    for (const auto& [call, setting] : settings_) read_.collectives.insert(call.collective);
    read_.answer = [settings = std::move(settings_)](const Case& problem) {
      return answer(settings, problem);
    };
    return std::move(read_);
  }

 private:
  /// Passes over what is no choice of a collective's algorithm.
  void set(std::string_view name, const ShellScript::Variable& variable) {
    if (name == kDevices) {
      if (!is_literal(name, variable)) return;
      devices_ = variable.value;
      if (!lists("all none percoll", ' ', devices_)) fail(no_value(name, devices_));
      return;
    }
    bool known = name.find("NEIGHBOR_") != std::string_view::npos;
    for (const auto& entry : kCollectives.entries) {
      for (const CallForm form : {CallForm::blocking, CallForm::nonblocking}) {
        const std::string before = libraries::mpich::variable_name(entry.value, "", form);
        if (!name.starts_with(before)) continue;
        // The end may be the one of a collective with a longer name.
        const Case call{.collective = entry.value, .form = form};
        if (set(call, name.substr(before.size()), variable)) return;
        known = true;
      }
    }
    if (known ? name.ends_with(kComposition)
              : name.ends_with(kAlgorithm) || name.ends_with(kDevice)) {
      advise(fmt::format("no MPICH that is known here has {}", name));
    }
  }

  /// @return whether there is such a variable that chooses
  bool set(const Case& call, std::string_view end, const ShellScript::Variable& variable) {
    const bool composition = end == kComposition && call.form == CallForm::blocking &&
                             !compositions_of(call.collective).empty();
    if (end != kDevice && end != kAlgorithm && !composition && !takes_number(call, end)) {
      return false;
    }
    const std::string name = variable_of(call, end);
    const std::string& value = variable.value;
    Setting& setting = settings_[call];
    setting.lines.emplace(end, line_);
    if (!is_literal(name, variable)) return true;
    if (end == kAlgorithm) {
      set_algorithm(call, value);
    } else if (end == kDevice) {
      setting.device_off = lists(kOff, ' ', value);
      if (!setting.device_off && !lists("1 yes YES true TRUE on ON", ' ', value)) {
        fail(no_value(name, value));
      }
    } else if (const auto number = number_in<int>(value, composition ? 0 : 1); !number) {
      fail(fmt::format("'{}' is no number of at least {}", value, composition ? 0 : 1));
    } else if (composition) {
      set_composition(call, *number);
    } else {
      setting.numbers.emplace(end, *number);
    }
    return true;
  }

  static std::string variable_of(const Case& call, std::string_view end) {
    return libraries::mpich::variable_name(call.collective, end, call.form);
  }

  bool is_literal(std::string_view name, const ShellScript::Variable& variable) {
    if (!variable.literal) advise(fmt::format("not understood: {}={}", name, variable.value));
    return variable.literal;
  }

  static std::string no_value(std::string_view name, std::string_view value) {
    return fmt::format("'{}' is no value of {}: MPI_Init would end the program", value, name);
  }

  void set_algorithm(const Case& call, std::string_view value) {
    if (value == kLibraryChooses || value == kLibrarySchedules) return;
    const std::string name = call_name(call.collective, call.form);
    if (!find_leaf(name, value, series_)) {
      const std::string none = fmt::format("no MPICH that is known here ({}) has", kKnownSeries);
      return fail(fmt::format("{} {} '{}': it would end at MPI_Init",
                              series_ ? "this version of MPICH has no" : none, name, value));
    }
    settings_[call].algorithm = value;
  }

  void set_composition(const Case& call, int number) {
    const auto known = static_cast<int>(compositions_of(call.collective).size());
    if (series_ == Series::v4_0) {
      fail("this version of MPICH has no variables for compositions");
    } else if (number > known) {
      advise(fmt::format("{} has {} compositions, and no number {}: the library chooses",
                         kCollectives.of(call.collective), known, number));
    } else {
      settings_[call].composition = number;
    }
  }

  /// Whether a parameter of some algorithm of the collective has a variable whose name ends so.
  static bool takes_number(const Case& call, std::string_view end) {
    const libraries::mpich::Parameter* const found =
        libraries::mpich::find_parameter(call.collective, call.form, end);
    return found != nullptr && !found->param.empty();
  }

  void check(const Case& call, Setting& setting) {
    const std::string algorithm = variable_of(call, kAlgorithm);
    const bool off = is_device_off(devices_, setting.device_off);
    line_ = setting.line_of(kComposition);
    if (off && std::exchange(setting.composition, 0) != 0) {
      advise("the device's own form is off: its composition does not run");
    }
    if (setting.composition != 0) {
      if (!setting.algorithm.empty()) {
        advise(fmt::format("{} is set as well: the composition's steps may run it", algorithm));
      }
      setting.algorithm =
          compositions_of(call.collective)[static_cast<std::size_t>(setting.composition - 1)];
    } else {
      check_numbers(call, setting);
      line_ = setting.line_of(kAlgorithm);
      // Of other calls the device has no form of its own.
      if (call.form == CallForm::blocking) check_device(call, setting, off);
    }
    if (setting.algorithm.empty()) return;
    const Case what = with_variant(call, LibraryOwn{"mpich", setting.algorithm});
    if (auto harm = unsafe_rule(text_, what)) fail(*std::move(harm));
  }

  /// @param off  the device's own form of these calls is
  void check_device(const Case& call, const Setting& setting, bool off) {
    if (!setting.algorithm.empty() && !off) {
      const std::string missing = fmt::format("{}=0 is missing", variable_of(call, kDevice));
      advise(fmt::format("{}: the device's own form may run instead",
                         devices_ == "all" ? fmt::format("{}=all", kDevices) : missing));
    } else if (line_ == 0 && off && setting.device_off) {
      line_ = setting.line_of(kDevice);
      advise(fmt::format(
          "the device's own form is off, and no {} says what runs instead: the library chooses",
          variable_of(call, kAlgorithm)));
    }
  }

  void check_numbers(const Case& call, const Setting& setting) {
    const libraries::LibraryAlgorithm* algorithm = libraries::find_library_algorithm(
        with_variant(call, LibraryOwn{"mpich", setting.algorithm}));
    const auto parameters = algorithm == nullptr ? std::span<const libraries::mpich::Parameter>{}
                                                 : libraries::mpich::parameters_of(*algorithm);
    for (const auto& [end, number] : setting.numbers) {
      if (std::ranges::find(parameters, end, &libraries::mpich::Parameter::variable) !=
          parameters.end())
        continue;
      line_ = setting.lines.at(end);
      advise(fmt::format("{} is of no use with the algorithm that the file sets, if any",
                         variable_of(call, end)));
    }
  }

  void fail(std::string reason) { read_.faults.push_back({line_, std::move(reason)}); }
  void advise(std::string reason) { read_.advice.push_back({line_, std::move(reason)}); }

  std::string_view text_;
  std::optional<Series> series_;
  ShellScript script_;
  int line_ = 0;
  std::string devices_ = "percoll";
  Settings settings_{};
  ReadTable read_{};
};

}  // namespace

ReadTable read_cvars(std::string_view text) {
  if (const auto fault = unknown_version(text)) return {.faults = {*fault}};
  return Reader{text, series_in(text)}.read();
}

}  // namespace breakeven::formats::mpich
