// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/params.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/choices.hpp"
#include "tables/formats/common/description.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/common/shell_script.hpp"
#include "tables/formats/openmpi/tuned.hpp"

namespace breakeven::formats::openmpi {

namespace {

constexpr std::string_view kUse =
    R"(Apply, in the shell that starts jobs:   . ./openmpi_params.sh
Undo: unset the variables below.
A parameter holds for nonblocking and persistent calls on every communicator, for every number of
processes and every size, measured or not. The component coll/libnbc reads it; where another one
(hcoll, ucc) performs these calls, it has no effect.
)";

constexpr std::string_view kLibraryChooses = "ignore";

std::string parameter_of(const Case& call) {
  return fmt::format("OMPI_MCA_coll_libnbc_{}_algorithm", call_name(call.collective, call.form));
}

/// In the order of their numbers, from 1 on.
std::vector<std::string> algorithms_of(Collective collective) {
  std::vector<std::string> names;
  for (const libraries::LibraryAlgorithm& each : libraries::openmpi_nonblocking()) {
    if (each.collective == collective) names.emplace_back(each.name);
  }
  return names;
}

/// The name that a value of the parameter stands for; nothing where it is none.
std::optional<std::string> algorithm_of(Collective collective, std::string_view value) {
  std::vector<std::string> names = algorithms_of(collective);
  names.insert(names.begin(), std::string{kLibraryChooses});
  if (const auto number = number_in<std::size_t>(value); number && *number < names.size()) {
    return names[*number];
  }
  const auto found = std::ranges::find(names, value);
  return found == names.end() ? std::nullopt : std::optional{*found};
}

struct Setting {
  std::string algorithm{};
  int line = 0;
};
using Settings = std::map<Collective, Setting>;

Answer answer(const Settings& settings, const Case& problem) {
  const auto found = settings.find(problem.collective);
  if (problem.form == CallForm::blocking || found == settings.end()) {
    return {.rule = fmt::format("no parameter of {} is set",
                                call_name(problem.collective, problem.form))};
  }
  Answer answer{.line = found->second.line, .rule = "any p, size and communicator"};
  const Case what = with_variant(problem, LibraryOwn{"openmpi", found->second.algorithm});
  if (found->second.algorithm == kLibraryChooses) return answer;
  if (const auto reason = libraries::refusal(what)) {
    answer.notes = {fmt::format("Open MPI runs another one instead of {}, which {}",
                                algorithm_text(what), *reason)};
  } else {
    answer.variant = what.variant;
  }
  return answer;
}

}  // namespace

Emitted emit_params(const tables::Table& table, const tables::Provenance& provenance) {
  static_cast<void>(version_of(provenance, "openmpi_params"));
  tables::Table nonblocking = table;
  std::erase_if(nonblocking.rules,
                [](const tables::Rule& rule) { return rule.what.form != CallForm::nonblocking; });
  if (nonblocking.rules.empty()) {
    throw UsageError(
        "openmpi_params is a table for nonblocking calls, and none was measured: sweep with "
        "--forms nonblocking");
  }
  Emitted emitted;
  std::string lines;
  for (const Case& what : single_choices(nonblocking, emitted.degraded)) {
    if (libraries::find_library_algorithm(what) == nullptr) {
      throw UsageError(fmt::format("Open MPI's parameters can't say {}", algorithm_text(what)));
    }
    lines += fmt::format("export {}={}\n", parameter_of(what), what.variant.library()->name);
  }
  const std::vector<std::string_view> use = lines_of(kUse);
  emitted.text = "# Breakeven's choice among the algorithms of Open MPI's coll/libnbc.\n#\n" +
                 commented("#  ", describe(table, provenance)) + "#\n" +
                 commented("#", std::vector<std::string>{use.begin(), use.end()});
  if (!emitted.degraded.empty()) {
    emitted.text += "#\n# Limits of this file:\n" + commented("#  ", emitted.degraded);
  }
  emitted.text += lines;
  return emitted;
}

ReadTable read_params(std::string_view text) {
  ShellScript script{text};
  ReadTable read{.advice = std::move(script.not_understood)};
  Settings settings;
  for (const auto& [collective, word] : kCollectives.entries) {
    const Case call{.collective = collective, .form = CallForm::nonblocking};
    const std::string name = parameter_of(call);
    const auto found = script.variables.find(name);
    if (found == script.variables.end() || found->second.line == 0) continue;
    const auto& [value, line, literal, exported] = found->second;
    const std::optional<std::string> algorithm = algorithm_of(collective, value);
    if (algorithms_of(collective).empty()) {
      read.advice.push_back({line, fmt::format("no Open MPI that is known here has {}", name)});
    } else if (!literal || !exported) {
      read.advice.push_back(
          {line, fmt::format("{}: {}", name,
                             literal ? "not exported: programs don't see it" : "not understood")});
    } else if (!algorithm) {
      read.faults.push_back(
          {line, fmt::format("'{}' is no value of {}: the library would ignore it", value, name)});
    } else {
      settings[collective] = {*algorithm, line};
      read.collectives.insert(collective);
      const Case what = with_variant(call, LibraryOwn{"openmpi", *algorithm});
      if (*algorithm == kLibraryChooses) continue;
      if (auto harm = unsafe_rule(text, what)) {
        (head_value(text, "made") ? read.faults : read.advice).push_back({line, *std::move(harm)});
      }
    }
  }
  if (read.faults.empty()) {
    read.answer = [settings = std::move(settings)](const Case& problem) {
      return answer(settings, problem);
    };
  }
  return read;
}

}  // namespace breakeven::formats::openmpi
