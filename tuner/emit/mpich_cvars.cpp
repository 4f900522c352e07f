// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/mpich_cvars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "libraries/library_algorithm.hpp"
#include "tuner/emit/head.hpp"
#include "tuner/emit/mpich/head.hpp"
#include "tuner/emit/mpich/names.hpp"

namespace breakeven {

namespace {

constexpr std::string_view kUse =
    R"(Apply, in the shell that starts jobs:   . ./mpich_cvars.sh
Undo: unset the variables below.
A variable holds on every communicator, for every number of processes and every size, measured or
not; where the algorithm can't run, the library takes its own choice of another one. Its _DEVICE_
variable switches off the device's own form of the collective, which would otherwise run instead.
)";

constexpr std::string_view kExport = "export ";
constexpr std::string_view kPrefix = "MPIR_CVAR_";
constexpr std::string_view kAlgorithm = "_INTRA_ALGORITHM";
constexpr std::string_view kDevice = "_DEVICE_COLLECTIVE";

std::string upper(std::string_view name) {
  std::string text{name};
  std::ranges::transform(text, text.begin(), [](unsigned char each) { return std::toupper(each); });
  return text;
}

/// The algorithm that is chosen in all the collective's rules; nothing where there are several, or
/// it was not measured.
std::optional<std::string> single_choice(const Table& table, Collective collective) {
  std::optional<std::string> choice;
  for (const Rule& rule : table.rules) {
    if (rule.what.collective != collective) continue;
    if (choice.value_or(rule.what.algorithm) != rule.what.algorithm) return std::nullopt;
    choice = rule.what.algorithm;
  }
  return choice;
}

bool measured(const Table& table, Collective collective) {
  return std::ranges::any_of(table.rules,
                             [&](const Rule& rule) { return rule.what.collective == collective; });
}

/// What the lines of a file set.
struct Variables {
  std::map<Collective, std::string> algorithms{};
  std::map<Collective, int> devices{};  ///< the line in which the device's form is switched off
};

class Reader {
 public:
  explicit Reader(std::optional<mpich::Series> series) : series_{series} {}

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
    for (const auto& [collective, line] : lines_) {
      if (variables_.devices.contains(collective)) continue;
      number_ = line;
      fail(fmt::format("{}{}{}=0 is missing: without it the device's own form may run instead",
                       kPrefix, upper(kCollectives.of(collective)), kDevice));
    }
    ReadTable table{.faults = std::move(faults_), .answer = {}};
    if (!table.faults.empty()) return table;
    table.answer = [algorithms = std::move(variables_.algorithms)](const Case& problem) {
      Case what = problem;
      const auto found = algorithms.find(problem.collective);
      what.algorithm = found == algorithms.end() ? kNative : "mpich:" + found->second;
      const bool native = found == algorithms.end() || refusal(what);
      return std::string{native ? std::string{kNative} : what.algorithm};
    };
    return table;
  }

 private:
  bool set(std::string_view name, std::string_view value) {
    for (const auto& entry : kCollectives.entries) {
      if (name == fmt::format("{}{}{}", kPrefix, upper(entry.name), kAlgorithm)) {
        set_algorithm(entry.value, value);
        return true;
      }
      if (name == fmt::format("{}{}{}", kPrefix, upper(entry.name), kDevice)) {
        if (value != "0") fail(fmt::format("{} is {}, not 0", name, value));
        if (!variables_.devices.emplace(entry.value, number_).second) fail("it was set before");
        return true;
      }
    }
    return false;
  }

  void set_algorithm(Collective collective, std::string_view value) {
    const std::string_view name = kCollectives.of(collective);
    const bool known = mpich::knows_algorithm(name, value, series_);
    if (!known) {
      fail(fmt::format("this version of MPICH has no {} '{}': it would end at MPI_Init", name,
                       value));
    }
    if (!variables_.algorithms.emplace(collective, value).second) fail("it was set before");
    lines_.emplace(collective, number_);
  }

  void fail(std::string reason) {
    faults_.push_back({.line = number_, .reason = std::move(reason)});
  }

  std::optional<mpich::Series> series_;
  int number_ = 0;
  Variables variables_{};
  std::map<Collective, int> lines_{};  ///< in which an algorithm is set
  std::vector<ReadTable::Fault> faults_{};
};

}  // namespace

Emitted mpich_cvars(const Table& table, const Provenance& provenance) {
  const mpich::Series series = mpich::series_of(provenance);
  Emitted emitted;
  std::string lines;
  for (const auto& entry : kCollectives.entries) {
    if (!measured(table, entry.value)) continue;
    const std::optional<std::string> choice = single_choice(table, entry.value);
    if (!choice) {
      emitted.degraded.push_back(
          fmt::format("{}: left out, for a variable can name one algorithm alone, and the table "
                      "has several",
                      entry.name));
      continue;
    }
    if (*choice == kNative) continue;
    const Case what{.collective = entry.value, .algorithm = *choice};
    static_cast<void>(mpich::algorithm_leaf(what, series));  // of this version, or it throws
    lines += fmt::format("{}{}{}{}={}\n", kExport, kPrefix, upper(entry.name), kAlgorithm,
                         library_name(*choice)->algorithm);
    lines += fmt::format("{}{}{}{}=0\n", kExport, kPrefix, upper(entry.name), kDevice);
  }
  for (const std::string& line : mpich::head_lines(table, provenance, kUse, emitted.degraded)) {
    emitted.text += line.empty() ? "#\n" : fmt::format("# {}\n", line);
  }
  emitted.text += lines;
  return emitted;
}

ReadTable read_mpich_cvars(std::string_view text) {
  const std::optional<std::string> version = mpich::version_in(text);
  const auto series = version ? mpich::series_of(*version) : std::nullopt;
  if (version && !series) {
    return {.faults = {{0, fmt::format("it is for MPICH {}, whose names aren't known here; known: "
                                       "{}",
                                       *version, mpich::kKnownSeries)}},
            .answer = {}};
  }
  Reader reader{series};
  for (const std::string_view line : lines_of(text)) reader.read(line);
  return std::move(reader).end();
}

bool is_mpich_cvars(std::string_view text) {
  return text.find("\"collective=") == std::string_view::npos &&
         text.find(kPrefix) != std::string_view::npos;
}

}  // namespace breakeven
