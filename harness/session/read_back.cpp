// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/read_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "harness/launch/job.hpp"
#include "stats/median.hpp"
#include "tuner/verify/table_in_force.hpp"

namespace breakeven::session {

namespace {

namespace fs = std::filesystem;

constexpr Seconds kPatience{60};  // for a job to start and answer

/// A dense grid of problems: look-ups are cheap.
std::vector<Case> problems() {
  std::vector<Case> grid;
  for (const auto& collective : kCollectives.entries) {
    if (!moves_data(collective.value)) continue;
    for (const int procs : {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 32, 48, 64, 65, 128, 1000}) {
      for (std::int64_t bytes = 8; bytes <= 1 << 23; bytes = (bytes * 3 / 2 + 7) / 8 * 8) {
        grid.push_back({.collective = collective.value,
                        .procs = procs,
                        .nodes = 1,
                        .procs_per_node = procs,
                        .message = {bytes},
                        .datatype = Datatype::double_,
                        .op = reduces(collective.value) ? Op::sum : Op::none});
      }
    }
  }
  return grid;
}

/// The first problem for which the library and the file's reader differ; empty: none.
std::string difference(const formats::ReadTable& read, const std::vector<Case>& asked,
                       const std::vector<std::string>& answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Variant ours = read.answer(asked[i]).variant;
    if (ours.algorithm() == answers[i]) continue;
    return fmt::format(
        "at {} {} p = {} the library would run {}, though the file is meant to say {}",
        kCollectives.of(asked[i].collective), to_text(asked[i].message), asked[i].procs, answers[i],
        to_text(ours));
  }
  return "";
}

/// The command of one process that loads the file.
launch::ChildProcess::Command loading_command(const verify::Loading& loading,
                                              const std::string& path, std::string_view text,
                                              const launch::Library& library) {
  launch::ChildProcess::Command command =
      launch::job_command(library, {{.procs = 1, .nodes = 1, .procs_per_node = 1}});
  std::ranges::move(verify::environment_of(loading, path, text),
                    std::back_inserter(command.environment));
  return command;
}

}  // namespace

bool can_read_back(const formats::Emitter& format) {
  return verify::find_loading(format.name) != nullptr;
}

std::string read_back(const formats::Emitter& format, const fs::path& file, std::string_view text,
                      const launch::Library& library) {
  constexpr std::ptrdiff_t kQueries = 200;  // in a request: see WorkerRequest
  const std::string path = fs::canonical(file).string();
  const verify::Loading& loading = *verify::find_loading(format.name);
  launch::ChildProcess::Command command = loading_command(loading, path, text, library);
  if (!loading.tells.empty()) command.environment.emplace_back(loading.tells);
  const std::vector<Case> asked = loading.answers ? problems() : std::vector<Case>{};
  std::vector<protocol::WorkerRequest> requests;
  for (auto from = asked.begin(); requests.empty() || from != asked.end();) {
    const auto to = from + std::min(kQueries, asked.end() - from);
    requests.emplace_back(protocol::ReadBackRequest{.file = path, .queries = {from, to}});
    from = to;
  }
  bool loaded = false;
  std::vector<std::string> answers;
  const launch::JobEnd end =
      launch::ask(command, kPatience, requests, [&](const protocol::ReadBack& read) {
        loaded = read.loaded;
        answers.insert(answers.end(), read.answers.begin(), read.answers.end());
      });
  if (!end.complete()) return fmt::format("a process that loads it {}", end.outcome);
  if (!loading.variable.empty() && !loaded) {
    return fmt::format("the library didn't load it, though {} names it", loading.variable);
  }
  return difference(format.read(text), asked, answers);
}

StartUp start_up(const formats::Emitter& format, const fs::path& file, std::string_view text,
                 const launch::Library& library) {
  constexpr int kRounds = 5;
  const std::string path = fs::canonical(file).string();
  const std::array commands{
      launch::job_command(library, {{.procs = 1, .nodes = 1, .procs_per_node = 1}}),
      loading_command(*verify::find_loading(format.name), path, text, library)};
  std::array<std::vector<double>, 2> seconds;
  std::array<std::vector<double>, 2> bytes;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t with = 0; with < commands.size(); ++with) {
      const launch::JobEnd end = launch::ask(
          commands[with], kPatience, {protocol::ReadBackRequest{.file = path, .queries = {}}},
          [&](const protocol::ReadBack& read) {
            seconds[with].push_back(read.init_s);
            bytes[with].push_back(static_cast<double>(read.init_bytes));
          });
      if (!end.complete()) throw Error(fmt::format("a process that loads it {}", end.outcome));
    }
  }
  return {.time = {stats::median(seconds[1]) - stats::median(seconds[0])},
          .memory = {std::llround(stats::median(bytes[1]) - stats::median(bytes[0]))}};
}

}  // namespace breakeven::session
