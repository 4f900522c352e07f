// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/cross_validation.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "stats/belief.hpp"
#include "tuner/equal_names.hpp"

namespace breakeven::tuner {

namespace {

using Group = std::tuple<Collective, CallForm, Mapping>;

Group group_of(const Case& what) { return tables::key_of(what); }

tables::Table without(tables::Table table, const Group& group, int procs) {
  std::erase_if(table.rules, [&](const tables::Rule& rule) {
    return group_of(rule.what) == group && rule.what.procs == procs;
  });
  return table;
}

/// The process counts that are held out in turn.
std::vector<int> procs_to_hold_out(tables::Candidates candidates, const std::set<int>& measured) {
  if (static_cast<int>(measured.size()) < least_procs(candidates)) return {};
  const int ends = candidates == tables::Candidates::library ? 1 : 0;
  return {std::next(measured.begin(), ends), std::prev(measured.end(), ends)};
}

/// Takes what `wanted` costs in one cell, where its counts are worst, into the group's sums;
/// `mean_regret` is a sum until all cells are in.
void add(CrossValidation& sums, const Decision& measured, const Case& wanted, EqualNames& equals) {
  double worst = 0;
  bool native_better = false;
  for (const Contest& contest : measured.contests) {
    const Candidate* const candidate = equals.find(contest, wanted);
    if (candidate == nullptr) {
      ++sums.unknown;
      return;
    }
    worst = std::max(worst, contest.regret(*candidate));
    const Candidate* const native = contest.native();
    native_better |=
        native != nullptr && stats::significantly_less(native->log_time, candidate->log_time);
  }
  ++sums.cells;
  sums.mean_regret += worst;
  if (worst >= sums.worst_regret) {
    sums.worst_regret = worst;
    sums.worst = measured.problem;
  }
  if (native_better) ++sums.native_better;
}

}  // namespace

int least_procs(tables::Candidates candidates) {
  return candidates == tables::Candidates::library ? 3 : 2;
}

std::vector<CrossValidation> cross_validate(std::span<const Decision> decisions,
                                            const tables::Table& table) {
  std::map<Group, std::set<int>> measured;
  // Process counts above the cores predict others badly, and are not held out where others are.
  const bool all_aside = all_oversubscribed(decisions);
  for (const Decision& decision : decisions) {
    if (decision.oversubscribed && !all_aside) continue;
    measured[group_of(decision.problem)].insert(decision.problem.procs);
  }
  std::vector<CrossValidation> all;
  EqualNames equals;
  for (const auto& [group, procs] : measured) {
    CrossValidation& sums =
        all.emplace_back(CrossValidation{.candidates = table.candidates,
                                         .collective = std::get<Collective>(group),
                                         .form = std::get<CallForm>(group),
                                         .mapping = std::get<Mapping>(group),
                                         .procs = procs_to_hold_out(table.candidates, procs)});
    std::map<int, tables::Table> tables;
    for (const int each : sums.procs) tables.emplace(each, without(table, group, each));
    for (const Decision& decision : decisions) {
      const Case& problem = decision.problem;
      const auto found = tables.find(problem.procs);
      if (group_of(problem) != group || found == tables.end()) continue;
      add(sums, decision, chosen(found->second, problem), equals);
    }
    if (sums.cells > 0) sums.mean_regret /= sums.cells;
  }
  return all;
}

}  // namespace breakeven::tuner
