// SPDX-License-Identifier: BSD-3-Clause
#include "cli/sweep_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/usage.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/plan/settings.hpp"
#include "harness/session/smpi_sweep.hpp"

namespace breakeven::cli {

void add_settings(CLI::App& app, SweepOptions& options, std::span<const std::string_view> keys) {
  const plan::Sweep defaults = plan::default_sweep();
  std::vector<plan::Setting> settings{plan::settings().begin(), plan::settings().end()};
  std::ranges::stable_partition(settings, [](const auto& each) { return each.group != kRare; });
  for (const plan::Setting& setting : settings) {
    if (std::ranges::find(keys, setting.key) == keys.end()) continue;
    const std::string usual = setting.text(defaults);
    CLI::Option* option =
        add_text(app, {plan::flag_of(setting), std::string{setting.help}, setting.value, usual},
                 [&given = options.given[setting.key]](const std::string& text) { given = text; });
    option->group(setting.group);
    if (usual == "true" || usual == "false") {  // --refine alone says yes
      option->expected(0, 1)->default_str("true")->option_text("[true|false]");
    }
  }
}

void add_sweep_options(CLI::App& app, SweepOptions& options) {
  app.add_option("FILE.toml", options.sweep_file,
                 "sweep file: the settings below, as key = value; options override it")
      ->type_name("");
  add_duration(app, "--budget", options.request.budget,
               "time for this run: 90s, 30min, 2h; the run then stops, and the same command "
               "continues the sweep [none]");
  app.add_flag("--retry-failed", options.request.retry_failed, "measure failed cases again");
  app.add_flag("!--no-doctor", options.request.doctor,
               "do not run `breakeven doctor` first, which finds what disturbs measurements");
  std::vector<std::string_view> keys;
  for (const plan::Setting& setting : plan::settings()) keys.push_back(setting.key);
  add_settings(app, options, keys);
  add_launcher_options(app, options.request.launcher);
  add(app, "--hang-timeout-s", options.request.patience,
      "seconds of silence after which a job counts as hung, beyond the time that its work is known "
      "to take")
      ->group(kRare);
}

namespace {

/// The settings of the file, then those of the flags, on top of `sweep`.
plan::Sweep read_settings(plan::Sweep sweep, const SweepOptions& options) {
  if (!options.sweep_file.empty()) {
    sweep = plan::parse_sweep(read_file(options.sweep_file), options.sweep_file, std::move(sweep));
  }
  const auto is_given = [&](std::string_view key) {
    const auto given = options.given.find(key);
    return given != options.given.end() && !given->second.empty();
  };
  // Flags replace what a file says in the other way.
  const bool by_procs = is_given("procs") || is_given("nodes");
  if (by_procs && is_given("layouts"))
    throw UsageError("--layouts asked for and --procs or --nodes as well; give one of both");
  if (by_procs) sweep.layouts.clear();
  if (is_given("layouts")) {
    sweep.procs = plan::Sweep{}.procs;
    sweep.nodes = plan::Sweep{}.nodes;
  }
  for (const plan::Setting& setting : plan::settings()) {
    if (!is_given(setting.key)) continue;
    const auto given = options.given.find(setting.key);
    try {
      setting.set(sweep, given->second);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", plan::flag_of(setting), error.what()));
    }
  }
  return sweep;
}

}  // namespace

plan::Sweep asked_sweep(const SweepOptions& options) {
  plan::Sweep sweep = read_settings(plan::default_sweep(), options);
  if (!launch::is_smpi(sweep.machine)) return sweep;
  const launch::SmpiMachine machine = launch::parse_smpi(sweep.machine);
  return session::settled(
      read_settings(session::default_smpi_sweep(plan::default_sweep(), machine, sweep.procs),
                    options),
      machine);
}

session::SweepRequest asked_request(const SweepOptions& options) {
  session::SweepRequest request = options.request;
  request.sweep = asked_sweep(options);
  request.text = plan::to_toml(request.sweep);
  return request;
}

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
  if (app.count("--budget") > 0) throw UsageError("after --: --budget belongs before --");
  return sweep;
}

std::vector<std::string> sweep_arguments(const plan::Sweep& sweep, const SweepOptions& given) {
  std::vector<std::string> words;
  const plan::Sweep defaults = plan::default_sweep();
  for (const plan::Setting& setting : plan::settings()) {
    const std::string value = setting.text(sweep);
    if (setting.key != "machine" && value == setting.text(defaults)) continue;
    words.insert(words.end(), {plan::flag_of(setting), value});
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
