// SPDX-License-Identifier: BSD-3-Clause
#include "cli/read_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace breakeven {

namespace {

namespace fs = std::filesystem;

constexpr Seconds kPatience{60};  // for a job to start and answer

/// A format whose files the library loads when it starts.
struct Loading {
  std::string_view format;
  std::string_view variable;  ///< that names the file; empty: the file's own lines are variables
};
constexpr std::array kLoadings{
    Loading{"mpich_json", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"},
    Loading{"mpich_ch4_json", "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"},
    Loading{"mpich_cvars", ""},
};

const Loading* find_loading(const Emitter& format) {
  const auto found = std::ranges::find(kLoadings, format.name, &Loading::format);
  return found == kLoadings.end() ? nullptr : &*found;
}

/// The variables of a file of "export NAME=VALUE" lines.
std::vector<std::string> variables_in(std::string_view text) {
  constexpr std::string_view kExport = "export ";
  std::vector<std::string> variables;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(kExport)) variables.emplace_back(line.substr(kExport.size()));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return variables;
}

}  // namespace

bool can_read_back(const Emitter& format) { return find_loading(format) != nullptr; }

std::string read_back(const Emitter& format, const fs::path& file, std::string_view text,
                      const Library& library) {
  const std::string path = fs::canonical(file).string();
  const std::string variable{find_loading(format)->variable};
  ChildProcess::Command command =
      job_command(library, {{.procs = 1, .nodes = 1, .procs_per_node = 1}});
  if (variable.empty()) {
    std::ranges::move(variables_in(text), std::back_inserter(command.environment));
  } else {
    command.environment.push_back(fmt::format("{}={}", variable, path));
  }
  std::optional<ReadBackRequest> request{{.file = path, .queries = {}}};
  std::optional<ReadBack> answer;
  const Match follow{[&](const ReadBack& read) { answer = read; }, [](const auto&) {}};
  const JobEnd end = run_job(
      command, kPatience, [&] { return std::exchange(request, std::nullopt); },
      [&](const WorkerEvent& event) { std::visit(follow, event); });
  if (!end.complete()) return fmt::format("a process that loads it {}", end.outcome);
  if (variable.empty() || answer->loaded) return "";
  return fmt::format("the library didn't load it, though {} names it", variable);
}

}  // namespace breakeven
