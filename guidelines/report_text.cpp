// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>
#include <vector>

#include "guidelines/report.hpp"

namespace breakeven::guidelines {

namespace {

constexpr std::string_view kColumns =
    "       p   nodes  map  data          total m     left    right  left/right        launches"
    "  verdict\n";

constexpr std::string_view kLegend = R"(
Legend
  total m     the whole vector: p blocks where MPI's count argument describes one block
  left/right  median over launches of the ratio within each launch, with its interval
  launches    that measured all terms, and the probability with which an interval over so many
              covers the true median
  violated    the interval lies above 1 + tolerance        holds     it lies at or below it
  undecided   the interval has 1 + tolerance within it     too_few   fewer than 3 launches
  *           more processes than cores on some node
)";

std::string data_of(const Cell& cell) {
  std::string text{kDatatypes.of(cell.group.datatype)};
  if (cell.op != Op::none) text += fmt::format(" {}", kOps.of(cell.op));
  if (cell.root != Rank{}) text += fmt::format(" r{}", cell.root.value);
  return text;
}

/// "by ring against circulant + bruck"
std::string candidates_of(const GuidelineResult& finding) {
  std::string text;
  std::string_view before = "by ";
  for (const Case& term : finding.terms) {
    text += fmt::format("{}{}{}{}", before, term.algorithm, term.params.empty() ? "" : ":",
                        term.params);
    before = &term == &finding.terms.front() ? " against " : " + ";
  }
  return text;
}

std::string row_of(const GuidelineResult& finding, bool name_candidates) {
  const NodeLayout& where = finding.cell.group.layout;
  const stats::Estimate& ratio = finding.ratio;
  std::string row = fmt::format(
      "{:>8}{} {:>6}  {:<3}  {:<11} {:>9} {:>8} {:>8}  {:<17} {:<8}  {}\n", where.procs,
      finding.oversubscribed ? '*' : ' ', fmt::format("{}x{}", where.nodes, where.procs_per_node),
      to_text(where.mapping), data_of(finding.cell), to_text(finding.cell.total),
      to_text(finding.left), to_text(finding.right),
      fmt::format("{:.2f} ({:.2f}-{:.2f})", ratio.median, ratio.low, ratio.high),
      fmt::format("{} ({:.0f}%)", ratio.count, 100 * ratio.coverage),
      kGuidelineVerdicts.of(finding.verdict));
  if (name_candidates) row += fmt::format("{:>12}{}\n", "", candidates_of(finding));
  return row;
}

std::vector<const GuidelineResult*> worst_first(const Outcome& outcome) {
  std::vector<const GuidelineResult*> findings;
  findings.reserve(outcome.findings.size());
  for (const GuidelineResult& finding : outcome.findings) findings.push_back(&finding);
  std::ranges::sort(findings, {}, [](const GuidelineResult* each) {
    return std::tuple(each->verdict, -each->ratio.median, each->cell);
  });
  return findings;
}

std::string summary_of(const Outcome& outcome) {
  std::string text = fmt::format("{} cells tested: {} hold, {} undecided, {} violated",
                                 tested(outcome), count(outcome, GuidelineVerdict::holds),
                                 count(outcome, GuidelineVerdict::undecided),
                                 count(outcome, GuidelineVerdict::violated));
  const int too_few = count(outcome, GuidelineVerdict::too_few);
  if (too_few > 0) text += fmt::format("; {} more with too few launches", too_few);
  return text;
}

std::string gaps_of(const Outcome& outcome) {
  if (outcome.findings.empty() && outcome.gaps.empty()) {
    return "    none of its collectives was measured\n";
  }
  std::string text;
  for (const Gap& gap : outcome.gaps) {
    const NodeLayout& where = gap.group.layout;
    text += fmt::format("    p = {}, nodes {}x{}, {}, {}: not tested\n      {}\n", where.procs,
                        where.nodes, where.procs_per_node, to_text(where.mapping),
                        kDatatypes.of(gap.group.datatype), gap.text);
  }
  return text;
}

std::string section_of(const Outcome& outcome, bool name_candidates, std::size_t most_rows) {
  const Guideline& guideline = *outcome.guideline;
  std::string text =
      fmt::format("\n({}) {}\n    because {}\n    {}\n    {}\n", guideline.number,
                  to_text(guideline), guideline.text, guideline.source, summary_of(outcome));
  const std::vector<const GuidelineResult*> findings = worst_first(outcome);
  const std::size_t shown = std::min(most_rows, findings.size());
  if (shown > 0) text += kColumns;
  for (std::size_t i = 0; i < shown; ++i) text += row_of(*findings[i], name_candidates);
  if (findings.size() > shown) text += fmt::format("    and {} more\n", findings.size() - shown);
  return text + gaps_of(outcome);
}

/// How many cells are called violated although their true ratio is 1 + tolerance at most.
std::string multiple_tests(const Evaluation& evaluation) {
  int cells = 0;
  double level = 0;
  int launches = 0;
  for (const Outcome& outcome : evaluation.outcomes) {
    cells += tested(outcome);
    for (const GuidelineResult& finding : outcome.findings) {
      const double own = (1 - finding.ratio.coverage) / 2;
      if (finding.verdict == GuidelineVerdict::too_few || own <= level) continue;
      level = own;
      launches = finding.ratio.count;
    }
  }
  if (cells == 0) return "";
  return fmt::format(
      "\nMultiple tests\n  Over {} launches a false \"violated\" has a probability of at most "
      "{:.3g}% in a cell (2^-n for n\n  launches). {} cells were tested without correction for "
      "their number: expect at most {:.0f} false\n  verdicts. This does not hold for \"best\", "
      "which is chosen from the same launches.\n",
      launches, 100 * level, cells, std::ceil(level * cells));
}

}  // namespace

std::string report_text(const Evaluation& evaluation, const Machine& machine,
                        std::size_t most_rows) {
  std::string text = fmt::format("Performance guidelines\n\n  machine         {}\n", machine.name);
  if (!machine.library_version.empty()) {
    text += fmt::format("  library         {}\n", machine.library_version);
  }
  if (!machine.cpu.empty()) text += fmt::format("  processor       {}\n", machine.cpu);
  text += fmt::format("  implementation  {}\n  tolerance       {:.3g}%\n",
                      evaluation.implementation, 100 * evaluation.tolerance);
  const bool name_candidates = evaluation.implementation == kBest;
  for (const Outcome& outcome : evaluation.outcomes) {
    text += section_of(outcome, name_candidates, most_rows);
  }
  return text.append(kLegend) + multiple_tests(evaluation);
}

}  // namespace breakeven::guidelines
