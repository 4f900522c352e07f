// SPDX-License-Identifier: BSD-3-Clause
#include "cli/sweep_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/machine_options.hpp"
#include "cli/settings.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/session/smpi_sweep.hpp"

namespace breakeven::cli {

std::string flag_of(const Setting& setting) {
  std::string flag = fmt::format("--{}", setting.key);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

void add_settings(CLI::App& app, SweepOptions& options, std::span<const std::string_view> keys) {
  const plan::Sweep defaults = default_sweep();
  for (const Setting& setting : settings()) {
    if (std::ranges::find(keys, setting.key) == keys.end()) continue;
    const std::string value = setting.text(defaults);
    CLI::Option* option = app.add_option(
        flag_of(setting), options.given[setting.key],
        fmt::format("{}{}", setting.help, value.empty() ? "" : fmt::format(" [{}]", value)));
    option->group("What to measure");
    if (value == "true" || value == "false") {  // --refine alone says yes
      option->expected(0, 1)->default_str("true")->option_text("[true|false]");
    }
  }
}

void add_sweep_options(CLI::App& app, SweepOptions& options) {
  app.add_option("FILE.toml", options.sweep_file,
                 "sweep file: the settings below, as key = value; options override it");
  std::vector<std::string_view> keys;
  for (const Setting& setting : settings()) keys.push_back(setting.key);
  add_settings(app, options, keys);
  add_launcher_options(app, options.request.launcher);
  app.add_option("--hang-timeout-s", options.request.patience.value,
                 "seconds after which a silent job counts as hung, beyond what its work is known "
                 "to take [60]");
  app.add_option("--budget", options.budget,
                 "time for this run: 90s, 30min, 2h; then it stops, and the same command resumes "
                 "[none]");
  app.add_flag("!--no-doctor", options.request.doctor, "do not examine the machine first");
  app.add_flag("--retry-failed", options.request.retry_failed, "measure failed cases again");
}

namespace {

/// The settings of the file, then those of the flags, on top of `sweep`.
plan::Sweep read_settings(plan::Sweep sweep, const SweepOptions& options) {
  if (!options.sweep_file.empty()) {
    sweep = parse_sweep(read_file(options.sweep_file), options.sweep_file, std::move(sweep));
  }
  for (const Setting& setting : settings()) {
    const auto given = options.given.find(setting.key);
    if (given == options.given.end() || given->second.empty()) continue;
    try {
      setting.set(sweep, given->second);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", flag_of(setting), error.what()));
    }
  }
  return sweep;
}

}  // namespace

plan::Sweep asked_sweep(const SweepOptions& options) {
  plan::Sweep sweep = read_settings(default_sweep(), options);
  if (!launch::is_smpi(sweep.machine)) return sweep;
  const launch::SmpiMachine machine = launch::parse_smpi(sweep.machine);
  return session::settled(
      read_settings(session::default_smpi_sweep(default_sweep(), machine, sweep.procs), options),
      machine);
}

session::SweepRequest asked_request(const SweepOptions& options) {
  session::SweepRequest request = options.request;
  request.sweep = asked_sweep(options);
  request.text = to_toml(request.sweep);
  if (!options.budget.empty()) {
    try {
      request.budget = parse_duration(options.budget);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--budget: {}", error.what()));
    }
  }
  return request;
}

}  // namespace breakeven::cli
