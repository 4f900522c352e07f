// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/schedule.hpp"
#include "core/error.hpp"
#include "core/unknown.hpp"
#include "harness/plan/settings.hpp"
#include "harness/plan/variants.hpp"
#include "kernels/build.hpp"
#include "kernels/crossing.hpp"
#include "kernels/equal.hpp"
#include "kernels/price.hpp"
#include "libraries/counterpart.hpp"

namespace breakeven::cli {

namespace {

/// A table's rows, the first of them its heading.
using Table = std::vector<std::vector<std::string>>;

constexpr std::string_view kLegend =
    R"(order-preserving: operands stay in rank order, as non-commutative operations require.
bitwise identical: all ranks reduce the same pairs, so that their results have the same bits.
fixed tree: operands meet along one binary tree over the ranks, at every p.
parameters: NAME:KEY=VALUE,...; all but scans also take reorder_ranks.
cost: a, b and g are the factors of alpha (messages), beta m (bytes sent) and gamma m (bytes
reduced); m is the size of the whole vector. rounds: steps, one after the other. at once: most
messages that a rank sends or receives in a round. formula: the source's (<= is a bound). critical
path: counted, if every rank sends one message at a time. busiest rank: the most that one rank sends.
source: key of docs/bibliography.md, and section.
The irregular collectives allgatherv, gatherv, reduce_scatter and scatterv have the algorithms of
allgather, gather, reduce_scatter_block and scatter; alltoallv and alltoallw have alltoall's linear
and pairwise.
)";

/// Parts of the papers that are missing or differ.
constexpr std::string_view kDifferences = R"(
## What differs from the papers

* The eliminations pass whole vectors; the halved vectors of [rabenseifnertraff2004] are not
  implemented.
* allgather/recursive_doubling runs only for powers of two; the butterfly of [traff2023], Table I,
  for other p is not implemented.
* n-way dissemination for a p that is not a power of n+1 uses partial results of fewer ranks, so that
  no data count twice; [ruefenacht2017] mentions such an adaption in [end2015] without details.
* allreduce/circulant reduces less than [traff2023] states: V + S only where it is needed.
* alltoall/bruck packs a message before it is sent, in place of the two rotations of [bruck1997].
* reduce_scatter_block/pat has a scratch slot for each block that it reduces, as blocks may differ in
  size; [jeaugey2025] has slots only for those that are under way.
* The pipelined trees of [sanders2006] for scans are not implemented.
* The pipelining model of [ruefenacht2017] only ranks variants for sweeps; in the tables rounds and
  messages are counted separately.
)";

/// Visits the collectives that have algorithms of their own, not a regular one's.
/// @param only  visited, or the regular one that has its algorithms; none: all
template <typename Visit>
void for_regular_collectives(std::optional<Collective> only, const Visit& visit) {
  for (const auto& [collective, name] : kCollectives.entries) {
    if (!irregular(collective) && (!only || regular(*only) == collective)) visit(collective, name);
  }
}

std::string yes_or_no(bool holds) { return holds ? "yes" : "no"; }

Table properties(Collective collective) {
  Table table{{"algorithm", "requirement", "order-preserving", "bitwise identical", "fixed tree",
               "parameters", "source"}};
  for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
    std::vector<std::string_view> params;
    for (const kernels::Param& param : algorithm->params) params.push_back(param.key);
    if (algorithm->segments) params.push_back(kernels::kSegments.key);
    const bool all_get_it = collective == Collective::allreduce;
    table.push_back({fmt::format("{}/{}", kCollectives.of(collective), algorithm->name),
                     kernels::requirement_text(*algorithm),
                     reduces(collective) ? yes_or_no(algorithm->order_preserving) : "-",
                     all_get_it ? yes_or_no(algorithm->bitwise_identical) : "-",
                     reduces(collective) ? yes_or_no(algorithm->fixed_tree) : "-",
                     params.empty() ? "-" : fmt::format("{}", fmt::join(params, " ")),
                     std::string{algorithm->source}});
  }
  return table;
}

std::string cost_text(const kernels::Cost& cost, Collective collective) {
  std::string text = fmt::format("{:.4g}a", cost.messages);
  if (moves_data(collective)) text += fmt::format(" {:.4g}b", cost.sent);
  if (reduces(collective)) text += fmt::format(" {:.4g}g", cost.reduced);
  return text;
}

std::string cost_text(const kernels::Formula& formula) {
  std::vector<std::string> terms;
  const auto bound = [](bool at_most) { return at_most ? "<=" : ""; };
  if (formula.rounds) terms.push_back(fmt::format("{} rounds", *formula.rounds));
  if (formula.messages) terms.push_back(fmt::format("{:.4g}a", *formula.messages));
  if (formula.sent) {
    terms.push_back(fmt::format("{}{:.4g}b", bound(formula.sent_at_most), *formula.sent));
  }
  if (formula.reduced) {
    terms.push_back(fmt::format("{}{:.4g}g", bound(formula.reduced_at_most), *formula.reduced));
  }
  return terms.empty() ? "-" : fmt::format("{}", fmt::join(terms, " "));
}

Table costs(Collective collective) {
  Table table{{"cost of", "p", "rounds", "at once", "formula", "critical path", "busiest rank"}};
  for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
    for (const int procs : {13, 16}) {  // an odd p, and a power of two
      const kernels::Problem problem{.collective = collective, .procs = procs};
      if (!kernels::runs(*algorithm, problem)) continue;
      const kernels::Price counted =
          kernels::price(problem, kernels::world_of(*algorithm, problem));
      table.push_back({fmt::format("{}/{}", kCollectives.of(collective), algorithm->name),
                       std::to_string(procs), std::to_string(counted.rounds),
                       std::to_string(counted.at_once),
                       algorithm->formula ? cost_text(algorithm->formula(problem)) : "-",
                       cost_text(counted.critical_path, collective),
                       cost_text(counted.busiest_rank, collective)});
    }
  }
  return table;
}

/// Of the libraries' algorithms of a collective and its irregular forms.
Table counterparts(Collective collective) {
  Table table{{"library's algorithm", "counterpart", "reason for none"}};
  for (const libraries::KnownLibrary& library : libraries::known_libraries()) {
    for (const libraries::LibraryAlgorithm& theirs : library.algorithms) {
      if (regular(theirs.collective) != collective) continue;
      const auto [ours, why_none] = libraries::pairing_of(theirs);
      table.push_back(
          {fmt::format("{}:{}/{}", library.name, kCollectives.of(theirs.collective), theirs.name),
           ours.empty() ? "-" : std::string{ours}, why_none.empty() ? "-" : std::string{why_none}});
    }
  }
  return table;
}

void print_aligned(const Table& table) {
  std::vector<std::size_t> widths(table.front().size());
  for (const auto& row : table) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : table) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
  fmt::print("\n");
}

void print_markdown(const Table& table) {
  std::string rule = "|";
  for (std::size_t i = 0; i < table.front().size(); ++i) rule += "---|";
  fmt::print("\n| {} |\n{}\n", fmt::join(table.front(), " | "), rule);
  for (std::size_t i = 1; i < table.size(); ++i) {
    fmt::print("| {} |\n", fmt::join(table[i], " | "));
  }
}

void print_text(std::optional<Collective> only) {
  for_regular_collectives(only, [](Collective collective, std::string_view) {
    print_aligned(properties(collective));
    print_aligned(costs(collective));
    print_aligned(counterparts(collective));
  });
  fmt::print("{}", kLegend);
}

/// This project's algorithms that a sweep of the default sizes tries.
std::vector<kernels::Instance> tried_variants(const kernels::Problem& problem) {
  const plan::Sweep sweep = plan::default_sweep();
  std::vector<Case> sizes;
  for (const Bytes message : sweep.messages) {
    sizes.push_back({.collective = problem.collective,
                     .procs = problem.procs,
                     .procs_per_node = problem.placement.procs_per_node,
                     .mapping = problem.placement.mapping,
                     .message = moves_data(problem.collective) ? message : Bytes{},
                     .datatype = sweep.datatype,
                     .op = reduces(problem.collective) ? sweep.op : Op::none,
                     .root = problem.root});
  }
  std::vector<kernels::Instance> variants = kernels::plain_variants(problem);
  for (const kernels::Instance& plain : std::vector{variants}) {
    for (const std::string& params :
         plan::worth_trying(*plain.algorithm, sizes, sweep.reorder_ranks)) {
      variants.push_back({plain.algorithm, kernels::Params::parse(params)});
    }
  }
  return variants;
}

/// The messages to other nodes of the node that sends most: "  (a node sends 1.5 m in 12
/// messages)".
std::string leaving_text(const kernels::Instance& variant, kernels::Problem problem) {
  if (problem.placement.nodes(problem.procs) == 1) return "";
  problem.params = variant.params;
  const kernels::Crossing leaving = kernels::crossing(*variant.algorithm, problem);
  return fmt::format(
      "  (a node sends {}{} message{})",
      moves_data(problem.collective) ? fmt::format("{:.4g} m in ", leaving.sent) : "",
      leaving.messages, leaving.messages == 1 ? "" : "s");
}

/// A line for each schedule at each p, with the algorithms that make it.
void print_equals(const ScheduleOptions& options, std::optional<Collective> only) {
  const auto all_procs = read<std::vector<int>>(options.procs);
  for (const int procs : all_procs) require_root(options.root, procs);
  for (const int procs : all_procs) {
    for_regular_collectives(only, [&](Collective collective, std::string_view name) {
      const kernels::Problem problem{.collective = collective,
                                     .procs = procs,
                                     .root = rooted(collective) ? Rank{options.root} : Rank{},
                                     .placement = placement_of(options, procs)};
      fmt::print("{} at p = {}\n", name, procs);
      kernels::EqualSchedules schedules{problem};
      for (const kernels::Equals& group : schedules.groups(tried_variants(problem))) {
        std::vector<std::string> names;
        for (const kernels::Instance& each : group.variants) names.push_back(to_text(each));
        const bool sample = names.size() > 1 && group.ranks < procs;
        fmt::print("  {}{}{}\n", fmt::join(names, " = "),
                   sample ? ": " + group.text(procs) : std::string{},
                   leaving_text(group.variants.front(), problem));
      }
    });
  }
  fmt::print(
      "\n=: equal schedules, on all ranks unless it says on how many. A sweep of them all measures "
      "one, the first.\n"
      "A node sends: the messages of the busiest node to others; m is the size of the vector.\n"
      "Parameters are those that a sweep of {} tries.\n",
      written(plan::default_sweep().messages));
}

void print_markdown(std::optional<Collective> only) {
  fmt::print(
      "# The algorithms\n\n"
      "<!-- Written by `breakeven schedule list --format markdown`; a test compares it. -->\n\n{}\n"
      "An example, drawn by `breakeven schedule show allreduce/halving_doubling --procs 13 "
      "--format\n"
      "svg`:\n\n![halving_doubling at p = 13](halving_doubling.svg)\n",
      kLegend);
  for_regular_collectives(only, [](Collective collective, std::string_view name) {
    fmt::print("\n## {}\n", name);
    print_markdown(properties(collective));
    for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
      for (const auto& [key, words, sets] : algorithm->params) {
        fmt::print("\n`{}:{}=` {}.\n", algorithm->name, key, words);
        for (const kernels::ValueSet& set : sets) {
          fmt::print("In sweeps `{}={}` means all that are {}.\n", key, set.name, set.name);
        }
      }
    }
    print_markdown(costs(collective));
    print_markdown(counterparts(collective));
  });
  fmt::print("\n## Parameters that rewrite any schedule\n\n`{}=` {}.\n\n`{}=` {}.\n{}",
             kernels::kReorderRanks.key, kernels::kReorderRanks.text, kernels::kSegments.key,
             kernels::kSegments.text, kDifferences);
}

}  // namespace

int list_schedules(const ScheduleOptions& options) {
  if (options.words.size() > 1) throw UsageError("list takes one collective, or none");
  std::optional<Collective> only;
  if (!options.words.empty()) only = kCollectives.parse(options.words.front());
  if (options.format != "text" && options.format != "markdown") {
    throw UsageError(unknown("list format", options.format, {"text", "markdown"}));
  }
  if (options.procs.empty()) {
    options.format == "text" ? print_text(only) : print_markdown(only);
  } else if (options.format == "text") {
    print_equals(options, only);
  } else {
    throw UsageError("list takes --procs in format text");
  }
  return 0;
}

}  // namespace breakeven::cli
