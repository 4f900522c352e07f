// SPDX-License-Identifier: BSD-3-Clause
#include "results/merge.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "harness/session/estimates.hpp"

namespace breakeven::cli::merge_command {

namespace {

struct Options {
  std::string out;
  std::vector<std::filesystem::path> in;
};

int run(const Options& options) {
  const results::MergeSummary summary = results::merge_databases(options.out, options.in);
  results::Store store{options.out, results::Store::Access::fill};
  for (const auto& each : store.machines()) session::store_estimates(store, each.first);
  fmt::print("{}: {} measurements from {} databases, {} there before", options.out, summary.added,
             options.in.size(), summary.known);
  if (summary.renumbered > 0) {
    fmt::print(", {} launches under a repeat of their own", summary.renumbered);
  }
  fmt::print("\n");
  if (summary.skipped > 0) {
    fmt::print("{} measurements skipped: the same launch was continued twice\n", summary.skipped);
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("OUT.db", options->out, "database to create or extend")->required();
  app.add_option("IN.db", options->in, "databases to merge; they are not changed")->required();
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::merge_command

const breakeven::cli::Command breakeven::cli::kMerge{
    .name = "merge",
    .summary = "Merge databases, such as those of the shards of a sweep, without duplicates",
    .examples = R"(
A launch that is in several databases is stored once, so merging again changes nothing. Different
launches with the same repeat number are all kept; the later ones get new numbers. OUT.db is replaced
as a whole at the end, or not at all.
Example:
  breakeven merge results.db part1.db part2.db part3.db)",
    .setup = merge_command::setup};
