// SPDX-License-Identifier: BSD-3-Clause
#include "cli/submit/sweep_arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/settings.hpp"
#include "cli/usage.hpp"
#include "core/error.hpp"

namespace breakeven::cli {

SweepOptions parse_sweep_arguments(const std::vector<std::string>& words) {
  SweepOptions sweep;
  CLI::App app{"", "sweep"};
  app.set_help_flag();
  app.add_option("--db", sweep.request.database);
  add_sweep_options(app, sweep);
  std::vector<std::string> reversed{words.rbegin(), words.rend()};  // as CLI11 takes them
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("after --: {}", explained(app, error)));
  }
  if (!sweep.budget.empty()) throw UsageError("after --: --budget belongs before --");
  return sweep;
}

std::vector<std::string> sweep_arguments(const plan::Sweep& sweep, const SweepOptions& given) {
  std::vector<std::string> words;
  const plan::Sweep defaults = default_sweep();
  for (const Setting& setting : settings()) {
    const std::string value = setting.text(sweep);
    if (setting.key != "machine" && value == setting.text(defaults)) continue;
    words.insert(words.end(), {flag_of(setting), value});
  }
  const session::SweepRequest& request = given.request;
  const session::SweepRequest usual;
  if (!request.launcher.worker.empty()) {
    words.insert(words.end(), {"--worker", std::filesystem::absolute(request.launcher.worker)});
  }
  if (!request.launcher.launcher.empty()) {
    words.insert(words.end(), {"--launcher", request.launcher.launcher});
  }
  for (const std::string& text : request.launcher.arguments) {
    words.push_back(fmt::format("--launcher-args={}", text));
  }
  if (request.patience != usual.patience) {
    words.insert(words.end(), {"--hang-timeout-s", fmt::format("{}", request.patience.value)});
  }
  if (!request.doctor) words.emplace_back("--no-doctor");
  if (request.retry_failed) words.emplace_back("--retry-failed");
  return words;
}

}  // namespace breakeven::cli
