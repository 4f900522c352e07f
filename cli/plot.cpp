// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/version.hpp"
#include "core/case.hpp"
#include "core/error.hpp"
#include "harness/launch/child_process.hpp"

namespace breakeven {

namespace {

struct Plot {
  std::string_view name;
  std::string_view script;  // under scripts/
};
constexpr std::array kPlots{Plot{"fastest", "plots/fastest_map.py"},
                            Plot{"ratio", "plots/ratio_map.py"}};

struct Options {
  std::string plot;
  std::string database;
  std::string machine;
  std::string collective;
  std::string out;
};

int run(const Options& options) {
  const auto plot = std::ranges::find(kPlots, options.plot, &Plot::name);
  if (plot == kPlots.end()) {
    throw UsageError(fmt::format("no plot '{}'; known: fastest ratio", options.plot));
  }
  if (!options.collective.empty()) static_cast<void>(kCollectives.parse(options.collective));
  std::vector<std::string> arguments{
      std::string{kPython}, scripts_folder() / plot->script, "--db", options.database, "--out",
      options.out};
  if (!options.machine.empty()) {
    arguments.insert(arguments.end(), {"--machine", options.machine});
  }
  if (!options.collective.empty()) {
    arguments.insert(arguments.end(), {"--collective", options.collective});
  }
  ChildProcess script{{.arguments = arguments, .environment = {}}};
  script.close_input();
  constexpr Seconds kPatience{300};
  while (script.next_line(kPatience) == ChildProcess::Wait::line) {
    fmt::print("{}\n", script.line());
  }
  const std::string failure = script.wait(kPatience);
  if (failure.empty()) return 0;
  const std::string message = fmt::format("no plot: {}", script.last_words());
  if (failure == "exit status 2") throw UsageError(message);
  throw Error(message);
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("PLOT", options->plot,
                 "fastest: the fastest algorithm of each cell; ratio: native's time over the "
                 "fastest algorithm's")
      ->required();
  app.add_option("--db", options->database, "results database")->required();
  app.add_option("--machine", options->machine, "needed when the database holds several");
  app.add_option("--collective", options->collective, "one only [all that were measured]");
  app.add_option("--out", options->out, "picture: .png, .svg or .pdf")->required();
  return [options] { return run(*options); };
}

}  // namespace

const Command plot_command{
    .name = "plot",
    .summary = "Draw the map of the fastest algorithms, or of the gain over the library",
    .examples = R"(
Examples:
  breakeven plot fastest --db results.db --out fastest.png
  breakeven plot ratio --db results.db --machine openmpi --collective allreduce --out ratio.svg)",
    .setup = setup};

}  // namespace breakeven
