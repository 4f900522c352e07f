// SPDX-License-Identifier: BSD-3-Clause
#include "cli/predict_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/show.hpp"
#include "cli/usage.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/stages.hpp"
#include "sim/closed_form.hpp"
#include "stats/belief.hpp"

namespace breakeven::cli {

namespace {

constexpr std::size_t kColumns = 100;

/// A letter behind a time that is not simulated.
char mark_of(sim::Basis basis) {
  switch (basis) {
    case sim::Basis::at_most: return '<';
    case sim::Basis::formula: return 'f';
    case sim::Basis::simulated: break;
  }
  return ' ';
}

/// The marks of a table, and the meaning of those that it has.
class Marks {
 public:
  [[nodiscard]] std::string of(const tuner::ForecastCell& cell, const tuner::Forecast& forecast,
                               const sim::Limits& limits, int procs_per_node) {
    std::string marks;
    for (const char mark :
         {mark_of(forecast.prediction.basis),
          tuner::beyond(limits, cell.procs, procs_per_node, cell.message) ? 'x' : ' '}) {
      if (mark == ' ') continue;
      used_.insert(mark);
      marks += mark;
    }
    return marks;
  }

  void print() const {
    const std::map<char, std::string_view> meanings{
        {'<', "at most: too much to simulate, so all blocks count as long as the longest"},
        {'f', "by the source's formula: too much to simulate"},
        {'x',
         "beyond the data that the machine was fitted to: its error grows with each doubling, by a "
         "rule of thumb"}};
    if (!used_.empty()) fmt::print("\n");
    for (const char mark : used_) fmt::print("{}: {}\n", mark, meanings.at(mark));
  }

 private:
  std::set<char> used_;
};

/// Prints the model's error.
void print_trust(Collective collective, const sim::MachineDescription& machine) {
  const std::string_view name = kCollectives.of(collective);
  const auto error = machine.error_of(collective, "", "", 0);
  if (!error) {
    fmt::print(
        "\nIf the model holds: its error was not measured (fit --collectives {0}; compare).\n",
        name);
    return;
  }
  const auto factor = [](double deviation) { return std::exp(stats::kDeviations * deviation); };
  fmt::print(
      "\nIntervals and `sure` contain the model's error. By {} measured cases of {},\n"
      "times are within a factor of {:.2f} of predicted ones (95 %), ratios of algorithms of "
      "{:.2f}.\n",
      error->cases, machine.errors.contains(name) ? name : "other collectives",
      factor(error->deviation()), factor(std::sqrt(2) * error->own));
  if (!machine.errors.contains(name)) {
    fmt::print("{0} was not measured: fit --collectives {0}\n", name);
  }
}

/// Prints the algorithms that could not be predicted, and their p.
void print_left_out(std::span<const tuner::ForecastCell> cells) {
  std::map<std::string, std::set<int>> procs;
  for (const tuner::ForecastCell& cell : cells) {
    for (const std::string& each : cell.left_out) procs[each].insert(cell.procs);
  }
  if (procs.empty()) return;
  fmt::print("\nToo much to simulate, and no formula is known:\n");
  for (const auto& [variant, at] : procs) {
    fmt::print("  {} at p = {}{}\n", variant, *at.begin(),
               at.size() > 1 ? fmt::format(" to {}", *at.rbegin()) : "");
  }
}

std::string interval_text(const std::optional<tuner::ForecastInterval>& interval) {
  if (!interval) return "";
  return fmt::format("[{}, {}]", to_text(Seconds{interval->low}), to_text(Seconds{interval->high}));
}

/// The distance of the next one to the fastest, and its name.
std::string next_text(const tuner::ForecastCell& cell) {
  const tuner::Forecast* const next = cell.next();
  if (next == nullptr) return "";
  const auto percent = [](double ratio) { return 100 * (ratio - 1); };
  std::string text = fmt::format(
      "{:.0f} %", percent(tuner::ratio_of(next->prediction.time, cell.fastest().prediction.time)));
  if (const auto interval = tuner::interval_of_ratio(*next, cell.fastest())) {
    text += fmt::format(" [{:.0f}, {:.0f}]", percent(interval->low), percent(interval->high));
  }
  return text + " " + to_text(next->variant);
}

/// Prints the formula of each algorithm, once.
void print_symbols(std::span<const tuner::ForecastCell> cells) {
  std::vector<const kernels::Algorithm*> algorithms;
  for (const tuner::ForecastCell& cell : cells) {
    for (const tuner::Forecast& each : cell.times) {
      if (std::ranges::find(algorithms, each.variant.algorithm) == algorithms.end()) {
        algorithms.push_back(each.variant.algorithm);
      }
    }
  }
  std::ranges::sort(algorithms, {}, &kernels::Algorithm::name);
  constexpr std::size_t kIndent = 24;
  for (const kernels::Algorithm* const each : algorithms) {
    std::string_view name = each->name;
    const std::string formula = fmt::format(
        "{}  {}", each->formula_text.empty() ? "none stated" : each->formula_text, each->source);
    for (const std::string& line : wrapped(formula, kColumns - kIndent)) {
      fmt::print("{:<{}}{}\n", name, kIndent, line);
      name = "";
    }
  }
  fmt::print(
      "m: bytes of the whole vector; lg: logarithm to base 2; fa, fb: alpha and beta of a message\n"
      "in one direction, divided by those of one in both; <=: a bound. Other models than postal\n"
      "take the same messages, bytes and reductions: docs/prediction.md.\n");
}

/// Prints the best number of messages at once, and the stages that follow from it.
void print_fan_out(const tuner::ForecastQuestion& question, const sim::MachineDescription& machine,
                   std::span<const tuner::ForecastCell> cells) {
  const kernels::Algorithm& algorithm = kernels::allreduce::recursive_multiplying;
  bool headed = false;
  for (const tuner::ForecastCell& cell : cells) {
    const bool has_stages = std::ranges::any_of(cell.times, [&](const tuner::Forecast& each) {
      return each.variant.algorithm == &algorithm;
    });
    const auto cost =
        sim::stage_cost(cell.message, machine.of(question.collective, algorithm.name).machine);
    if (!has_stages || !cost || cost->message.value <= 0) continue;
    if (!headed) {
      fmt::print(
          "\n{} by [ruefenacht2017], equation (5): rho = time of a round / time of each of\n"
          "its messages, b = exp(1 + W((rho - 1) / e)) - 1 messages at once, groups of b + 1\n"
          "{:>7}  {:>8}  {:>6}  {:>5}  best stages\n",
          algorithm.name, "p", "message", "rho", "b");
      headed = true;
    }
    const double rho = cost->round.value / cost->message.value;
    fmt::print("{:>7}  {:>8}  {:>6.3g}  {:>5.2f}  {}\n", cell.procs, to_text(cell.message), rho,
               sim::best_fan_out(rho), kernels::allreduce::best_stages(cell.procs, rho).text());
  }
}

}  // namespace

void print_fastest(const tuner::ForecastQuestion& question, const sim::MachineDescription& machine,
                   std::span<const tuner::ForecastCell> cells) {
  const bool intervals = std::ranges::any_of(
      cells, [](const tuner::ForecastCell& cell) { return cell.certainty().has_value(); });
  fmt::print("{} on {}\n\n{:>7}  {:>8}  {:>8}    ", kCollectives.of(question.collective),
             machine.name, "p", "message", "time");
  if (intervals) fmt::print("{:<22}  {:>5}  ", "95 % interval", "sure");
  fmt::print("{}\n", intervals ? "fastest; next, slower by" : "fastest, then next: slower by");
  Marks marks;
  for (const tuner::ForecastCell& cell : cells) {
    const tuner::Forecast& first = cell.fastest();
    std::string head =
        fmt::format("{:>7}  {:>8}  {:>8} {:<2} ", cell.procs, to_text(cell.message),
                    to_text(first.prediction.time),
                    marks.of(cell, first, machine.limits, question.placement.procs_per_node));
    if (intervals) {
      const auto certainty = cell.certainty();
      head += fmt::format("{:<22}  {:>5}  ", interval_text(tuner::interval_of(first)),
                          certainty ? fmt::format("{:.0f} %", 100 * *certainty) : "");
    }
    const std::string fastest = fmt::format("{:<30}", to_text(first.variant));
    const std::string next = next_text(cell);
    if (head.size() + fastest.size() + 1 + next.size() <= kColumns) {
      const std::string line = head + fastest + ' ' + next;
      fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    } else {
      fmt::print("{}{}\n{:>{}}  {}\n", head, to_text(first.variant), "", head.size(), next);
    }
  }
  marks.print();
  print_trust(question.collective, machine);
  print_left_out(cells);
}

void print_formulas(const tuner::ForecastQuestion& question, const sim::MachineDescription& machine,
                    std::span<const tuner::ForecastCell> cells) {
  fmt::print("{} on {}\n\n", kCollectives.of(question.collective), machine.name);
  print_symbols(cells);
  print_fan_out(question, machine, cells);
  fmt::print("\n{:>7}  {:>8}  {:>9}    {:>9}  {:>5}  {}\n", "p", "message", "simulated", "formula",
             "ratio", "algorithm");
  Marks marks;
  for (const tuner::ForecastCell& cell : cells) {
    for (const tuner::Forecast& each : cell.times) {
      const bool simulated = each.prediction.basis != sim::Basis::formula;
      fmt::print("{:>7}  {:>8}  {:>9} {:<2} {:>9}  {:>5}  {}\n", cell.procs, to_text(cell.message),
                 simulated ? to_text(each.prediction.time) : "-",
                 marks.of(cell, each, machine.limits, question.placement.procs_per_node),
                 each.stated ? to_text(*each.stated) : "-",
                 each.stated && simulated
                     ? fmt::format("{:.2f}", tuner::ratio_of(*each.stated, each.prediction.time))
                     : "-",
                 to_text(each.variant));
    }
  }
  marks.print();
  print_trust(question.collective, machine);
  print_left_out(cells);
}

void print_program(const tuner::ProgramForecast& program, const sim::MachineDescription& machine,
                   bool by_tables) {
  std::vector<Cells> cells;
  Seconds covered{};
  for (const tuner::CallForecast& each : program.calls) {
    if (each.known) covered = covered + each.profiled;
    cells.push_back({call_name(each.use.collective, each.use.form),
                     fmt::to_string(each.use.layout.procs), to_text(each.use.layout.mapping),
                     moves_data(each.use.collective) ? to_text(each.use.message) : "",
                     fmt::to_string(each.calls), fmt::format("{:.3g}", each.profiled.value),
                     fmt::format("{:.3g}", each.now_time.value), to_text(each.now),
                     fmt::format("{:.3g}", each.then_time.value), to_text(each.then)});
  }
  const Cells columns{"collective", "p",     "mapping",   "message", "calls",
                      "profiled_s", "now_s", "algorithm", "then_s",  "algorithm"};
  fmt::print("{} on {}\n\n{}\n", by_tables ? "with the tables" : "with the fastest algorithms",
             machine.name, to_table(columns, cells));
  const auto print_ratio = [](Seconds now, Seconds then, const auto& interval) {
    fmt::print("{:.3g} s now, {:.3g} s then: {:.2f}", now.value, then.value,
               tuner::ratio_of(now, then));
    if (interval) fmt::print(" ({:.2f} to {:.2f})", interval->low, interval->high);
    fmt::print(" times as fast\n");
  };
  fmt::print(
      "{:.1f} % of the {:.3g} s in calls are of known algorithms; the others keep their time\n"
      "replayed, {:.0f} % of the calls in their order: ",
      100 * covered.value / program.profiled.value, program.profiled.value, 100 * program.ordered);
  print_ratio(program.now, program.then, program.speedup);
  if (program.rest.value > 0) {
    fmt::print("with {:.3g} s of disturbances, half of which change likewise: ",
               program.rest.value);
    print_ratio(program.now + program.rest, program.then + program.rest_then, program.with_rest);
  }
  if (!program.speedup) fmt::print("If the model holds: its error was not measured.\n");
}

}  // namespace breakeven::cli
