// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>

namespace breakeven::guidelines {

namespace {

std::set<Bytes> totals_at(const CellGroup& group, Collective term, const FastestCases& candidates) {
  std::set<Bytes> totals;
  for (const Cell& cell : candidates.cells(term)) {
    if (cell.group == group) totals.insert(cell.total);
  }
  return totals;
}

std::string list(std::span<const Bytes> messages) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (const Bytes message : messages.first(std::min(kShown, messages.size()))) {
    text += (text.empty() ? "" : ", ") + to_text(message);
  }
  if (messages.size() > kShown) text += fmt::format(" and {} more", messages.size() - kShown);
  return text;
}

/// The messages at which `term` would reach those of the `wanted` totals that it was not measured
/// with.
std::vector<Bytes> lacking(const std::set<Bytes>& wanted, const CellGroup& group, Collective term,
                           const FastestCases& candidates) {
  const std::set<Bytes> measured = totals_at(group, term, candidates);
  std::vector<Bytes> messages;
  std::ranges::set_difference(wanted, measured, std::back_inserter(messages));
  if (counts_one_block(term)) {
    for (Bytes& message : messages) message.value /= group.layout.procs;
  }
  return messages;
}

std::string sweeps_text(const Guideline& guideline, const CellGroup& group,
                        const FastestCases& candidates) {
  const std::vector<Collective> terms = terms_of(guideline);
  // A collective of blocks has totals that p divides: the only ones that all terms can reach.
  const auto of_blocks = std::ranges::find_if(terms, counts_one_block);
  const Collective basis = of_blocks == terms.end() ? guideline.left : *of_blocks;
  const std::set<Bytes> wanted = totals_at(group, basis, candidates);
  if (wanted.empty()) return fmt::format("sweep {}", kCollectives.of(basis));
  std::string text;
  for (const Collective term : terms) {
    const std::vector<Bytes> messages = lacking(wanted, group, term, candidates);
    if (messages.empty()) continue;
    text += fmt::format("{}{} at {}", text.empty() ? "sweep " : "; ", kCollectives.of(term),
                        list(messages));
  }
  return text.empty() ? "never measured in one launch, with one op and root" : text;
}

}  // namespace

std::vector<Gap> gaps_of(const Outcome& outcome, const FastestCases& candidates) {
  std::set<CellGroup> open;
  for (const Collective term : terms_of(*outcome.guideline)) {
    for (const Cell& cell : candidates.cells(term)) open.insert(cell.group);
  }
  for (const GuidelineResult& finding : outcome.findings) open.erase(finding.cell.group);
  std::vector<Gap> gaps;
  gaps.reserve(open.size());
  for (const CellGroup& group : open) {
    gaps.push_back({group, sweeps_text(*outcome.guideline, group, candidates)});
  }
  return gaps;
}

}  // namespace breakeven::guidelines
