// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/print.hpp"
#include "kernels/verify.hpp"

namespace breakeven {

namespace {

struct Options {
  std::string what;
  int procs = 0;
  int root = 0;
  std::string format = "text";
};

void print_list() {
  fmt::print("{:<40} {:<18} {:<8} {}\n", "algorithm", "needs", "order", "source");
  for (const auto& [collective, name] : kCollectives.entries) {
    for (const Algorithm* algorithm : catalogue(collective)) {
      fmt::print("{:<40} {:<18} {:<8} {}\n", fmt::format("{}/{}", name, algorithm->name),
                 algorithm->needs.words,
                 !reduces(collective) ? "-" : (algorithm->ordered ? "kept" : "any"),
                 algorithm->source);
    }
  }
  fmt::print(
      "\norder: whether operands stay in rank order, so that the operation need not commute\n");
}

int run(const Options& options) {
  if (options.what == "list") {
    print_list();
    return 0;
  }
  if (options.format != "text" && options.format != "json") {
    throw UsageError(fmt::format("no format '{}'; known: text json", options.format));
  }
  const std::size_t slash = options.what.find('/');
  if (slash == std::string::npos) {
    throw UsageError(fmt::format("'{}' is neither list nor COLLECTIVE/ALGORITHM", options.what));
  }
  const Collective collective = kCollectives.parse(options.what.substr(0, slash));
  const auto [algorithm, params] = find_variant(collective, options.what.substr(slash + 1));
  const Rank root{options.root};
  if (root != Rank{} && (!rooted(collective) || root.value < 0 || root.value >= options.procs)) {
    throw UsageError(
        fmt::format("root {} asked for; {}", root.value,
                    rooted(collective)
                        ? fmt::format("p = {} has ranks 0 to {}", options.procs, options.procs - 1)
                        : fmt::format("{} has no root", kCollectives.of(collective))));
  }
  const Problem problem{
      .collective = collective, .procs = options.procs, .root = root, .params = params};
  const std::vector<Schedule> world = world_of(*algorithm, problem);
  // What is printed is proven first: nobody shall build on a wrong schedule.
  static_cast<void>(verify(problem, world));
  const Title title{.collective = collective, .algorithm = algorithm->name, .root = root};
  fmt::print("{}", options.format == "json" ? to_json(title, world) : to_text(title, world));
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("WHAT", options->what, "list, or COLLECTIVE/ALGORITHM")->required();
  app.add_option("--procs", options->procs, "number of processes");
  app.add_option("--root", options->root, "of bcast, reduce, scatter [0]");
  app.add_option("--format", options->format, "text or json [text]");
  return [options] { return run(*options); };
}

}  // namespace

const Command schedule_command{
    .name = "schedule",
    .summary = "List the algorithms, or print one as what each rank sends, receives, reduces",
    .examples = R"(
Examples:
  breakeven schedule list
  breakeven schedule allreduce/ring --procs 4
  breakeven schedule allreduce/halving_doubling --procs 13 --format json
  breakeven schedule reduce/binomial --procs 6 --root 2)",
    .setup = setup};

}  // namespace breakeven
