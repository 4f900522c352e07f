// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "cli/schedule.hpp"
#include "core/error.hpp"
#include "kernels/build.hpp"

namespace breakeven {

namespace {

constexpr std::array kCostAt{13, 16};  // an odd p, and a power of two
constexpr std::size_t kColumns = 8;
using Row = std::array<std::string, kColumns>;

const Row kHeading{"algorithm",
                   "needs",
                   "order",
                   "bits",
                   fmt::format("cost at p = {}", kCostAt[0]),
                   fmt::format("cost at p = {}", kCostAt[1]),
                   "parameters",
                   "source"};

constexpr std::string_view kLegend =
    R"(order: kept where operands stay in rank order, so that the operation need not commute.
bits: same where all ranks reduce in the same pairs, so that their results have equal bits.
cost: of the busiest rank: rounds, what it sends, what it reduces, in whole vectors m.
parameters: NAME:KEY=VALUE,...; besides these every algorithm takes reorder_ranks.
The irregular collectives allgatherv, gatherv, reduce_scatter and scatterv have the algorithms of
allgather, gather, reduce_scatter_block and scatter. Of alltoall, alltoallv, alltoallw, scan and
exscan only the MPI libraries' own algorithms are known.
)";

std::string cost_at(Collective collective, const Algorithm& algorithm, int procs) {
  const Problem problem{.collective = collective, .procs = procs};
  if (!runs(algorithm, problem)) return "-";
  const auto [rounds, sent, reduced] = algorithm.cost(problem);
  std::string text = fmt::format("{} round{}", rounds, rounds == 1 ? "" : "s");
  if (moves_data(collective)) text += fmt::format(", {:.4g}", sent);
  if (reduces(collective)) text += fmt::format(", {:.4g}", reduced);
  return text;
}

Row row_of(Collective collective, const Algorithm& algorithm) {
  std::vector<std::string_view> params;
  for (const Param& param : algorithm.params) params.push_back(param.key);
  if (algorithm.segments) params.push_back(kSegments.key);
  const bool all_get_it = collective == Collective::allreduce;
  return {fmt::format("{}/{}", kCollectives.of(collective), algorithm.name),
          std::string{algorithm.needs.words},
          !reduces(collective) ? "-" : (algorithm.ordered ? "kept" : "any"),
          !all_get_it ? "-" : (algorithm.identical ? "same" : "vary"),
          cost_at(collective, algorithm, kCostAt[0]),
          cost_at(collective, algorithm, kCostAt[1]),
          params.empty() ? "-" : fmt::format("{}", fmt::join(params, " ")),
          std::string{algorithm.source}};
}

/// Those that have algorithms of their own, not a regular one's.
template <typename Visit>
void for_regular_collectives(const Visit& visit) {
  for (const auto& [collective, name] : kCollectives.entries) {
    if (!irregular(collective) && !catalogue(collective).empty()) visit(collective, name);
  }
}

void print_text() {
  std::vector<Row> rows{kHeading};
  for_regular_collectives([&](Collective collective, std::string_view) {
    for (const Algorithm* algorithm : catalogue(collective)) {
      rows.push_back(row_of(collective, *algorithm));
    }
  });
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i)
      widths.at(i) = std::max(widths.at(i), row.at(i).size());
  }
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < kColumns; ++i)
      line += fmt::format("{:<{}}  ", row.at(i), widths.at(i));
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
  fmt::print("\n{}", kLegend);
}

void print_markdown() {
  fmt::print(
      "# The algorithms\n\n"
      "<!-- Written by `breakeven schedule list --format markdown`; a test compares it. -->\n\n{}\n"
      "What one of them does, as `breakeven schedule show allreduce/halving_doubling --procs 13\n"
      "--format svg` draws it:\n\n![halving_doubling at p = 13](halving_doubling.svg)\n",
      kLegend);
  for_regular_collectives([](Collective collective, std::string_view name) {
    fmt::print("\n## {}\n\n| {} |\n|{}\n", name, fmt::join(kHeading, " | "),
               "---|---|---|---|---|---|---|---|");
    for (const Algorithm* algorithm : catalogue(collective)) {
      fmt::print("| {} |\n", fmt::join(row_of(collective, *algorithm), " | "));
    }
    for (const Algorithm* algorithm : catalogue(collective)) {
      for (const auto& [key, words] : algorithm->params) {
        fmt::print("\n`{}:{}=` {}.\n", algorithm->name, key, words);
      }
    }
  });
  fmt::print("\n## Parameters that rewrite any schedule\n\n`{}=` {}.\n\n`{}=` {}.\n",
             kReorderRanks.key, kReorderRanks.words, kSegments.key, kSegments.words);
}

}  // namespace

int list_schedules(const ScheduleOptions& options) {
  if (!options.words.empty()) {
    throw UsageError(fmt::format("list takes no '{}'", options.words.front()));
  }
  if (options.format != "text" && options.format != "markdown") {
    throw UsageError(fmt::format("no format '{}' of list; known: text markdown", options.format));
  }
  options.format == "text" ? print_text() : print_markdown();
  return 0;
}

}  // namespace breakeven
