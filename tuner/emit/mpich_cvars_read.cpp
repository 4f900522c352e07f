// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/params.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "libraries/mpich_parameters.hpp"
#include "tuner/emit/head.hpp"
#include "tuner/emit/mpich/names.hpp"
#include "tuner/emit/mpich_cvars.hpp"
#include "tuner/emit/mpich_cvars_text.hpp"

namespace breakeven {

namespace {

using namespace mpich_cvars_text;

/// What the lines of a file set for a collective.
struct Setting {
  std::string algorithm{};               ///< "ring", "composition_alpha"
  std::map<std::string, int> numbers{};  ///< by the end of the variable's name
  std::map<std::string, int> lines{};    ///< in which each variable is set, likewise
};

class Reader {
 public:
  Reader(std::string_view text, std::optional<mpich::Series> series)
      : text_{text}, series_{series} {}

  void read(std::string_view line) {
    ++number_;
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) return;
    const std::size_t sign = line.find('=');
    if (!line.starts_with(kExport) || sign == std::string_view::npos) {
      return fail(fmt::format("'{}' is not 'export VARIABLE=VALUE'", line));
    }
    const std::string_view name = line.substr(kExport.size(), sign - kExport.size());
    if (!set(name, line.substr(sign + 1))) fail(fmt::format("no variable '{}' is known", name));
  }

  ReadTable end() && {
    std::map<Collective, Case> chosen;
    for (const auto& [collective, setting] : settings_) {
      Case what{.collective = collective, .algorithm = "mpich:" + setting.algorithm};
      check(what, setting);
      if (!setting.algorithm.empty()) chosen.emplace(collective, std::move(what));
    }
    ReadTable table{.faults = std::move(faults_), .answer = {}};
    if (!table.faults.empty()) return table;
    table.answer = [chosen = std::move(chosen)](const Case& problem) {
      const auto found = chosen.find(problem.collective);
      if (found == chosen.end()) return std::string{kNative};
      Case what = problem;
      what.algorithm = found->second.algorithm;
      what.params = found->second.params;
      return refusal(what) ? std::string{kNative} : variant_text(what);
    };
    return table;
  }

 private:
  bool set(std::string_view name, std::string_view value) {
    for (const auto& entry : kCollectives.entries) {
      const std::string before = mpich::variable_name(entry.value, "");
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
        fail(fmt::format("{} is {}, not 0", mpich::variable_name(collective, end), value));
      }
      return true;
    }
    if (end == kAlgorithm) return set_algorithm(collective, value);
    const bool composition = end == kComposition && !compositions_of(collective).empty();
    if (!composition && !takes_number(collective, end)) return false;
    int number = 0;
    const auto [stop, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failure != std::errc{} || stop != value.data() + value.size() || number < 1) {
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
    if (!mpich::knows_algorithm(name, value, series_)) {
      fail(fmt::format("this version of MPICH has no {} '{}': it would end at MPI_Init", name,
                       value));
    }
    settings_[collective].algorithm = value;
    return true;
  }

  void set_composition(Collective collective, int number) {
    const auto names = compositions_of(collective);
    if (series_ == mpich::Series::v4_0) {
      return fail("this version of MPICH has no variables for compositions");
    }
    if (number > static_cast<int>(names.size())) {
      return fail(fmt::format("{} has {} compositions, and no number {}",
                              kCollectives.of(collective), names.size(), number));
    }
    settings_[collective].algorithm = names[static_cast<std::size_t>(number - 1)];
  }

  /// Whether a parameter of some algorithm of the collective has a variable whose name ends so.
  static bool takes_number(Collective collective, std::string_view end) {
    return std::ranges::any_of(mpich_algorithms_of(collective), [&](const auto* algorithm) {
      return std::ranges::any_of(mpich::parameters_of(*algorithm), [&](const auto& each) {
        return !each.param.empty() && each.variable == end;
      });
    });
  }

  static std::vector<const LibraryAlgorithm*> mpich_algorithms_of(Collective collective) {
    std::vector<const LibraryAlgorithm*> found;
    for (const KnownLibrary& library : known_libraries()) {
      if (library.name != "mpich") continue;
      for (const LibraryAlgorithm& each : library.algorithms) {
        if (each.collective == collective) found.push_back(&each);
      }
    }
    return found;
  }

  /// Gives the case the setting's numbers.
  void check(Case& what, const Setting& setting) {
    const auto line_of = [&](std::string_view end) {
      const auto found = setting.lines.find(std::string{end});
      return found == setting.lines.end() ? 0 : found->second;
    };
    const bool device_off = line_of(kDevice) != 0;
    if (line_of(kComposition) != 0) {
      number_ = line_of(kComposition);
      if (device_off || line_of(kAlgorithm) != 0) {
        fail(fmt::format("{} or {} is set as well: what runs is no composition alone",
                         mpich::variable_name(what.collective, kAlgorithm),
                         mpich::variable_name(what.collective, kDevice)));
      }
      if (auto harm = unsafe_rule(text_, what)) fail(*std::move(harm));
      return;
    }
    number_ = line_of(kAlgorithm);
    if (number_ != 0 && !device_off) {
      fail(fmt::format("{}=0 is missing: without it the device's own form may run instead",
                       mpich::variable_name(what.collective, kDevice)));
    }
    add_params(what, setting);
    if (auto harm = unsafe_rule(text_, what)) fail(*std::move(harm));
  }

  void add_params(Case& what, const Setting& setting) {
    const LibraryAlgorithm* algorithm = find_library_algorithm(what);
    std::vector<std::string> params;
    for (const auto& [end, value] : setting.numbers) {
      const auto parameters = algorithm == nullptr ? std::span<const mpich::Parameter>{}
                                                   : mpich::parameters_of(*algorithm);
      const auto found = std::ranges::find(parameters, end, &mpich::Parameter::variable);
      number_ = setting.lines.at(end);
      if (found == parameters.end()) {
        fail(fmt::format("{} is of no use with the algorithm that the file sets, if any",
                         mpich::variable_name(what.collective, end)));
      } else if (value != found->usual) {
        params.push_back(fmt::format("{}={}", found->param, value));
      }
    }
    what.params = Params::parse(fmt::format("{}", fmt::join(params, ","))).text();
  }

  void fail(std::string reason) {
    faults_.push_back({.line = number_, .reason = std::move(reason)});
  }

  std::string_view text_;
  std::optional<mpich::Series> series_;
  int number_ = 0;
  std::map<Collective, Setting> settings_{};
  std::vector<ReadTable::Fault> faults_{};
};

}  // namespace

ReadTable read_mpich_cvars(std::string_view text) {
  const std::optional<std::string> version = mpich::version_in(text);
  const auto series = version ? mpich::series_of(*version) : std::nullopt;
  if (version && !series) {
    return {.faults = {{0, fmt::format("it is for MPICH {}, whose names aren't known here; known: "
                                       "{}",
                                       *version, mpich::kKnownSeries)}},
            .answer = {}};
  }
  Reader reader{text, series};
  for (const std::string_view line : lines_of(text)) reader.read(line);
  return std::move(reader).end();
}

}  // namespace breakeven
