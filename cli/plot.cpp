// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "cli/command.hpp"
#include "cli/script.hpp"
#include "core/case.hpp"
#include "core/error.hpp"

namespace breakeven::cli::plot_command {

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
  std::string counts{kCounts.of(Counts::equal)};
  std::string out;
};

int run(const Options& options) {
  const auto plot = std::ranges::find(kPlots, options.plot, &Plot::name);
  if (plot == kPlots.end()) {
    throw UsageError(fmt::format("no plot '{}'; known: fastest ratio", options.plot));
  }
  if (!options.collective.empty()) static_cast<void>(kCollectives.parse(options.collective));
  static_cast<void>(kCounts.parse(options.counts));
  std::vector<std::string> arguments{"--db",      options.database, "--out",
                                     options.out, "--counts",       options.counts};
  if (!options.machine.empty()) {
    arguments.insert(arguments.end(), {"--machine", options.machine});
  }
  if (!options.collective.empty()) {
    arguments.insert(arguments.end(), {"--collective", options.collective});
  }
  run_script(plot->script, arguments);
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("PLOT", options->plot,
                 "fastest: the fastest algorithm at each size and process count; ratio: native's "
                 "time divided by the fastest algorithm's")
      ->required();
  app.add_option("--db", options->database, "results database")->required();
  app.add_option("--machine", options->machine,
                 "machine to use; required if the database holds several");
  app.add_option("--collective", options->collective, "only this one [all that were measured]");
  app.add_option("--counts", options->counts, "of irregular collectives: equal, linear [equal]");
  app.add_option("--out", options->out, "picture: .png, .svg or .pdf")->required();
  return [options] { return run(*options); };
}

}  // namespace

const Command command{
    .name = "plot",
    .summary = "Plot a map of the fastest algorithms, or of their speedup over the library",
    .examples = R"(
Examples:
  breakeven plot fastest --db results.db --out fastest.png
  breakeven plot ratio --db results.db --machine openmpi --collective allreduce --out ratio.svg)",
    .setup = setup};

}  // namespace breakeven::cli::plot_command
