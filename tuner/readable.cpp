// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/readable.hpp"

#include <fmt/format.h>

#include <string_view>

namespace breakeven {

namespace {

constexpr std::string_view kColumns =
    "       from  measured at           algorithm            gain over native   regret"
    "  launches  doubt\n";

constexpr std::string_view kWords = R"(
Words
  message    what MPI's count argument describes; it is named behind each collective
  from       the rule holds from this message size on, up to the next rule's; where two rules meet,
             the true break-even point lies between the sizes at which they were measured
  native     the MPI library's own collective as it comes
  gain       time of native / time of the choice, with its interval, at the rule's size where it
             is smallest; launches are paired
  regret     how much slower the choice is than the fastest candidate, at its worst size: there
             native, or the choice of the size below, was not shown to be slower
  launches   of the choice, where there are fewest, and the probability with which an interval over
             so many launches covers the true median
  sure       at each of its sizes faster than every other candidate, in launch after launch; of two
             equal candidates one comes out so by chance in at most 5 % of the cells
  unsure     not so at some size, or there was no other candidate
  weak       fewer than 3 launches at some size: native where it was measured, else the fastest
)";

std::string measured_at(const Rule& rule) {
  if (rule.first_measured == rule.last_measured) return to_text(rule.first_measured);
  return fmt::format("{} to {}", to_text(rule.first_measured), to_text(rule.last_measured));
}

std::string gain_of(const Rule& rule) {
  if (rule.what.algorithm == kNative) return "-";
  if (!rule.gain) return "not measured";
  return fmt::format("{:.2f} ({:.2f}-{:.2f})", rule.gain->median, rule.gain->low, rule.gain->high);
}

std::string row_of(const Rule& rule) {
  return fmt::format(
      "{:>11}  {:<20}  {:<19}  {:<17}  {:>5.1f}%  {:>8}  {}\n", to_text(rule.what.message),
      measured_at(rule), variant_text(rule.what), gain_of(rule), 100 * rule.regret,
      fmt::format("{} ({:.0f}%)", rule.launches, 100 * rule.coverage), kDoubts.of(rule.doubt));
}

std::string heading_of(Collective collective) {
  return fmt::format("\n{} (message: {})\n{}", kCollectives.of(collective),
                     counts_one_block(collective) ? "the block of one process" : "the whole vector",
                     kColumns);
}

std::string heading_of(const Case& what, bool oversubscribed) {
  return fmt::format("  p = {}: {} {} of {}, mapping {}{}\n", what.procs, what.nodes,
                     what.nodes == 1 ? "node" : "nodes", what.procs_per_node, to_text(what.mapping),
                     oversubscribed ? "; OVERSUBSCRIBED: more processes than cores" : "");
}

}  // namespace

std::string readable(const Table& table, const Provenance& provenance) {
  std::string text = "Breakeven table: which algorithm to use from which message size on\n\n";
  for (const std::string& line : describe(table, provenance)) text += "  " + line + '\n';
  const Rule* previous = nullptr;
  for (const Rule& rule : table.rules) {
    const bool same_collective =
        previous != nullptr && previous->what.collective == rule.what.collective;
    if (!same_collective) text += heading_of(rule.what.collective);
    if (!same_collective || previous->what.procs != rule.what.procs ||
        previous->what.mapping != rule.what.mapping) {
      text += heading_of(rule.what, rule.oversubscribed);
    }
    text += row_of(rule);
    previous = &rule;
  }
  return text.append(kWords);
}

}  // namespace breakeven
