// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/verification_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tuner/decision.hpp"

namespace breakeven::verify {

namespace {

std::string estimate_text(const stats::Estimate& speedup) {
  if (speedup.count == 0) return "1 (the same call)";
  return fmt::format("{:.3f} ({:.3f}-{:.3f})", speedup.median, speedup.low, speedup.high);
}

std::string heading_of(const Case& problem) {
  return fmt::format("\n{}, p = {}, {}\n", call_name(problem.collective, problem.form),
                     problem.procs, to_text(layout_of(problem)));
}

std::string message_of(const Case& problem) {
  const std::string text = to_text(problem.message);
  if (problem.counts == Counts::equal) return text;
  return fmt::format("{}, {}", text, kCounts.of(problem.counts));
}

/// Of the columns that are as wide as their content.
struct Widths {
  std::size_t message = 12;
  std::size_t choice = 6;
};

std::string row_of(const VerifiedCell& cell, const Widths& widths) {
  return fmt::format("{:>{}}  {:<{}}  {:<21}  {:>8}  {}{}{}\n", message_of(cell.problem),
                     widths.message, to_text(cell.choice), widths.choice,
                     estimate_text(cell.speedup), cell.speedup.count, kEffects.of(cell.effect),
                     cell.fails ? ", FAILS" : "", cell.aside ? " *" : "");
}

std::string verdict_of(const Verification& verification) {
  if (!verification.speedup_of_changed)
    return "The table keeps the default everywhere: it changes nothing.\n";
  const std::string whole = decision_text(*verification.speedup_of_changed, "launches");
  if (verification.any_fails()) {
    return fmt::format(
        "The table FAILS: it makes cells significantly slower by more than {:.0f} %. As a whole: "
        "{}.\n",
        100 * kToleratedLoss, whole);
  }
  return fmt::format("The table against the default, as a whole: {}.\n", whole);
}

std::string note_on_turns(const Verification& verification, std::ptrdiff_t aside) {
  if (verification.oversubscribed) {
    return "all measured cells have more processes than cores, which take turns: the verdict is "
           "about such jobs alone\n";
  }
  if (aside == 0) return {};
  return fmt::format(
      "{} cells (*) have more processes than cores, which take turns: they count in no mean and "
      "not in the verdict\n",
      aside);
}

std::string summary_of(const Verification& verification) {
  std::vector<VerifiedCell> cells = verification.cells;
  const auto aside = static_cast<std::ptrdiff_t>(
      std::erase_if(cells, [](const VerifiedCell& cell) { return cell.aside; }));
  const auto count = [&](auto&& of) { return std::ranges::count_if(cells, of); };
  const auto changed = count(&VerifiedCell::changed);
  std::string text =
      fmt::format("\n{} cells, {} of them changed by the table ({:.0f} %)\n{}", cells.size(),
                  changed, 100.0 * static_cast<double>(changed) / static_cast<double>(cells.size()),
                  note_on_turns(verification, aside));
  const auto [worst, best] = std::ranges::minmax_element(
      cells, {}, [](const VerifiedCell& cell) { return cell.speedup.median; });
  text +=
      fmt::format("default / tuned: geometric mean {}, worst cell {:.3f}, best {:.3f}\n",
                  estimate_text(verification.speedup), worst->speedup.median, best->speedup.median);
  if (verification.speedup_of_changed) {
    text += fmt::format("  of the cells that it changes: {}\n",
                        estimate_text(*verification.speedup_of_changed));
  }
  const auto of = [&](Effect effect) {
    return count([=](const VerifiedCell& cell) { return cell.effect == effect; });
  };
  text += fmt::format("cells faster {}, slower {}, undecided {}, the same call {}; failing {}\n",
                      of(Effect::faster), of(Effect::slower), of(Effect::undecided),
                      of(Effect::same), count(&VerifiedCell::fails));
  return text;
}

}  // namespace

std::string decision_text(const stats::Estimate& speedup, std::string_view what) {
  std::string text{kEffects.of(effect_of(speedup))};
  if (effect_of(speedup) != Effect::undecided) return text;
  constexpr double kMost = 1000;
  const double width = std::log(speedup.high / speedup.low) / 2;
  const double needed = speedup.count * std::pow(width / std::log(speedup.median), 2);
  if (!(needed < kMost)) {
    return fmt::format("{}: not even {} {} would probably decide", text, kMost, what);
  }
  return fmt::format("{}: some {:.0f} {} may decide, by --launches", text, std::ceil(needed) + 1,
                     what);
}

std::string verification_text(const Verification& verification) {
  Widths widths;
  for (const VerifiedCell& cell : verification.cells) {
    widths.message = std::max(widths.message, message_of(cell.problem).size());
    widths.choice = std::max(widths.choice, to_text(cell.choice).size());
  }
  std::string text =
      fmt::format("{:>{}}  {:<{}}  {:<21}  {:>8}  verdict\n", "message", widths.message, "choice",
                  widths.choice, "default / tuned", "launches");
  const Case* previous = nullptr;
  for (const VerifiedCell& cell : verification.cells) {
    if (previous == nullptr || !tuner::differ_in_size_alone(*previous, cell.problem)) {
      text += heading_of(cell.problem);
    }
    text += row_of(cell, widths);
    previous = &cell.problem;
  }
  return text + summary_of(verification) + verdict_of(verification);
}

std::string verification_csv(const std::map<std::string, Verification>& verifications) {
  std::string text =
      "table,collective,form,procs,nodes,procs_per_node,mapping,comms_per_node,message_bytes,"
      "counts,choice,speedup,speedup_low,speedup_high,launches,effect,fails,aside\n";
  for (const auto& [table, verification] : verifications) {
    for (const VerifiedCell& cell : verification.cells) {
      const Case& at = cell.problem;
      text += fmt::format(
          "{},{},{},{},{},{},\"{}\",{},{},{},\"{}\",{:.6g},{:.6g},{:.6g},{},{},{},{}\n", table,
          kCollectives.of(at.collective), kCallForms.of(at.form), at.procs, at.nodes,
          at.procs_per_node, to_text(at.mapping), at.comms_per_node, at.message.value,
          kCounts.of(at.counts), to_text(cell.choice), cell.speedup.median, cell.speedup.low,
          cell.speedup.high, cell.speedup.count, kEffects.of(cell.effect), cell.fails, cell.aside);
    }
  }
  return text;
}

}  // namespace breakeven::verify
