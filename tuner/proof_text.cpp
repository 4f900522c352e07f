// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/proof_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/decision.hpp"

namespace breakeven {

namespace {

std::string estimate_text(const stats::Estimate& gain) {
  if (gain.count == 0) return "1 (the same call)";
  return fmt::format("{:.3f} ({:.3f}-{:.3f})", gain.median, gain.low, gain.high);
}

std::string heading_of(const Case& problem) {
  return fmt::format("\n{}, p = {}, {} x {} {}\n", kCollectives.of(problem.collective),
                     problem.procs, problem.nodes, problem.procs_per_node,
                     to_text(problem.mapping));
}

std::string message_of(const Case& problem) {
  const std::string text = to_text(problem.message);
  if (problem.counts == Counts::equal) return text;
  return fmt::format("{}, {}", text, kCounts.of(problem.counts));
}

/// Of the columns that are as wide as what stands in them.
struct Widths {
  std::size_t message = 12;
  std::size_t choice = 6;
};

std::string row_of(const ProvenCell& cell, const Widths& widths) {
  return fmt::format("{:>{}}  {:<{}}  {:<21}  {:>8}  {}{}\n", message_of(cell.problem),
                     widths.message, cell.choice, widths.choice, estimate_text(cell.gain),
                     cell.gain.count, kEffects.of(cell.effect), cell.fails ? ", FAILS" : "");
}

std::string verdict_of(const Proof& proof) {
  if (!proof.gain_of_changed)
    return "The table keeps the default everywhere: it changes nothing.\n";
  if (proof.any_fails()) {
    return fmt::format(
        "The table FAILS: it makes cells slower by more than {:.0f} % beyond doubt.\n",
        100 * kToleratedLoss);
  }
  return proof.better() ? "The table is better than the default beyond doubt.\n"
                        : "The table is not better than the default beyond doubt.\n";
}

}  // namespace

std::string proof_text(const Proof& proof) {
  Widths widths;
  for (const ProvenCell& cell : proof.cells) {
    widths.message = std::max(widths.message, message_of(cell.problem).size());
    widths.choice = std::max(widths.choice, cell.choice.size());
  }
  std::string text =
      fmt::format("{:>{}}  {:<{}}  {:<21}  {:>8}  effect\n", "message", widths.message, "choice",
                  widths.choice, "default / tuned", "launches");
  const Case* previous = nullptr;
  for (const ProvenCell& cell : proof.cells) {
    if (previous == nullptr || !differ_in_size_alone(*previous, cell.problem)) {
      text += heading_of(cell.problem);
    }
    text += row_of(cell, widths);
    previous = &cell.problem;
  }
  const auto count = [&](auto&& of) { return std::ranges::count_if(proof.cells, of); };
  const auto [worst, best] = std::ranges::minmax_element(
      proof.cells, {}, [](const ProvenCell& cell) { return cell.gain.median; });
  text += fmt::format("\n{} cells, {} of them changed by the table ({:.0f} %)\n",
                      proof.cells.size(), count(&ProvenCell::changed),
                      100.0 * static_cast<double>(count(&ProvenCell::changed)) /
                          static_cast<double>(proof.cells.size()));
  text += fmt::format("default / tuned: geometric mean {}, worst cell {:.3f}, best {:.3f}\n",
                      estimate_text(proof.gain), worst->gain.median, best->gain.median);
  if (proof.gain_of_changed) {
    text +=
        fmt::format("  of the cells that it changes: {}\n", estimate_text(*proof.gain_of_changed));
  }
  const auto of = [&](Effect effect) {
    return count([=](const ProvenCell& cell) { return cell.effect == effect; });
  };
  text += fmt::format("cells better {}, same {}, worse {}, failing {}\n", of(Effect::better),
                      of(Effect::same), of(Effect::worse), count(&ProvenCell::fails));
  return text + verdict_of(proof);
}

std::string proof_csv(const std::map<std::string, Proof>& proofs) {
  std::string text =
      "table,collective,procs,nodes,procs_per_node,mapping,message_bytes,counts,choice,gain,"
      "gain_low,gain_high,launches,effect,fails\n";
  for (const auto& [table, proof] : proofs) {
    for (const ProvenCell& cell : proof.cells) {
      const Case& at = cell.problem;
      text += fmt::format("{},{},{},{},{},\"{}\",{},{},\"{}\",{:.6g},{:.6g},{:.6g},{},{},{}\n",
                          table, kCollectives.of(at.collective), at.procs, at.nodes,
                          at.procs_per_node, to_text(at.mapping), at.message.value,
                          kCounts.of(at.counts), cell.choice, cell.gain.median, cell.gain.low,
                          cell.gain.high, cell.gain.count, kEffects.of(cell.effect), cell.fails);
    }
  }
  return text;
}

}  // namespace breakeven
