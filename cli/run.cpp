// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/about.hpp"
#include "cli/command.hpp"
#include "cli/usage.hpp"
#include "core/error.hpp"
#include "core/unknown.hpp"

namespace breakeven::cli {
namespace {

constexpr auto* kPurpose =
    "Measures which algorithm of each MPI collective is fastest on this machine.";
constexpr auto* kFooter = R"(
First steps:
  breakeven machines
  breakeven doctor --machine mpich
  breakeven sweep --machine mpich --procs 2 --bytes 8:1M --budget 10min --db results.db
  breakeven tune --db results.db --out tables
  breakeven verify --tables tables
  breakeven check --db results.db
  breakeven plot fastest --db results.db --out fastest.png

`breakeven COMMAND --help` shows examples of each.
Exit status: 0 success; 1 finished with findings (a violated guideline, a failed case); 2 bad input,
a request that cannot be met, or findings of `tables lint`; 3 any other error; 4 ended before
everything was measured.)";

/// Prints the cause in one line, however many it has.
int report(const std::exception& error, int status) {
  std::string text = error.what();
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
    text.replace(end, 1, " ");
  }
  fmt::print(stderr, "breakeven: {}\n", text);
  return status;
}

/// CLI11 would only say that a command is missing.
void refuse_unknown_command(const char* word) {
  const auto found = std::ranges::find(kCommands, std::string_view{word}, &Command::name);
  if (*word == '-' || found != kCommands.end()) return;
  std::vector<std::string_view> known;
  for (const Command* command : kCommands) known.push_back(command->name);
  throw UsageError(unknown("command", word, known) + "; `breakeven --help` says what each does");
}

int parse_and_run(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "{}\n{}\n", kPurpose, kFooter);
    return 2;
  }
  refuse_unknown_command(argv[1]);
  CLI::App app{kPurpose, "breakeven"};
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", about_text,
                       "print the version, and what a report of a fault needs");
  app.set_help_flag("-h,--help", "print this help");
  app.set_help_all_flag("--help-all", "print this help, with options that are rarely needed");
  app.require_subcommand(1);
  app.footer(kFooter);
  std::function<int()> chosen;
  for (const Command* command : kCommands) {
    CLI::App* sub = app.add_subcommand(std::string{command->name}, std::string{command->summary});
    sub->footer(std::string{command->examples});
    sub->callback([&chosen, action = command->setup(*sub)] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    throw UsageError(explained(app, error));
  }
  return chosen();
}

}  // namespace

int run(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its limit is then an error like a full disk
  try {
    return parse_and_run(argc, argv);
  } catch (const UsageError& error) {
    return report(error, 2);
  } catch (const std::exception& error) {
    return report(error, 3);
  }
}

}  // namespace breakeven::cli
