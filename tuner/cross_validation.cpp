// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/cross_validation.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "stats/belief.hpp"
#include "tuner/by_procs.hpp"
#include "tuner/equal_names.hpp"

namespace breakeven::tuner {

namespace {

using Group = std::tuple<Collective, CallForm, Mapping>;

Group group_of(const Case& what) { return tables::key_of(what); }

/// The part of a layout that a table tells apart.
NodeLayout known_part(tables::Candidates candidates, const Case& what) {
  if (candidates == tables::Candidates::library) return {.procs = what.procs};
  return layout_of(what);
}

tables::Table without(tables::Table table, const Group& group, const NodeLayout& layout) {
  std::erase_if(table.rules, [&](const tables::Rule& rule) {
    return group_of(rule.what) == group && known_part(table.candidates, rule.what) == layout;
  });
  return table;
}

/// The layouts that are held out in turn. A library's table does not choose beyond the least and
/// the greatest p.
std::vector<NodeLayout> to_hold_out(tables::Candidates candidates,
                                    const std::set<NodeLayout>& measured) {
  const int ends = candidates == tables::Candidates::library ? 1 : 0;
  if (std::ssize(measured) < 2 + ends) return {};
  return {std::next(measured.begin(), ends), std::prev(measured.end(), ends)};
}

/// The same table as a format has it that knows p alone.
tables::Table by_procs_alone(tables::Table table, std::span<const Decision> decisions) {
  std::set<Case> kept;
  for (const Decision& each : by_procs(decisions).decisions) {
    Case place = each.problem;
    place.message = {};
    kept.insert(place);
  }
  std::erase_if(table.rules, [&](const tables::Rule& rule) {
    Case place = without_algorithm(rule.what);
    place.message = {};
    return !kept.contains(place);
  });
  table.candidates = tables::Candidates::library;
  return table;
}

/// The loss by a choice in one cell.
struct Loss {
  double regret = 0;
  bool native_better = false;
};

/// With the counts where it is worst; nothing where the choice was not measured.
std::optional<Loss> loss_of(const Decision& measured, const Case& wanted, EqualNames& equals) {
  Loss cost;
  for (const Contest& contest : measured.contests) {
    const Candidate* const candidate = equals.find(contest, wanted);
    if (candidate == nullptr) return std::nullopt;
    cost.regret = std::max(cost.regret, contest.regret(*candidate));
    const Candidate* const native = contest.native();
    cost.native_better |=
        native != nullptr && stats::significantly_less(native->log_time, candidate->log_time);
  }
  return cost;
}

/// `mean_regret` is a sum until all cells are in.
void add(CrossValidation& sums, const Case& problem, const std::optional<Loss>& cost) {
  if (!cost) {
    ++sums.unknown;
    return;
  }
  ++sums.cells;
  sums.mean_regret += cost->regret;
  if (cost->regret >= sums.worst_regret) {
    sums.worst_regret = cost->regret;
    sums.worst = problem;
  }
  if (cost->native_better) ++sums.native_better;
}

/// The choices for one held-out layout, by the rules of the others.
struct HeldOutTables {
  tables::Table table{};
  std::optional<tables::Table> by_procs{};  ///< where the table knows more than p
};

HeldOutTables hold_out(std::span<const Decision> decisions, const tables::Table& table,
                       const Group& group, const NodeLayout& layout) {
  HeldOutTables held_out{.table = without(table, group, layout)};
  const bool knows_layouts = table.candidates != tables::Candidates::library;
  if (!knows_layouts || !table.on_several_nodes()) return held_out;
  std::vector<Decision> others;
  std::ranges::copy_if(decisions, std::back_inserter(others), [&](const Decision& each) {
    return group_of(each.problem) == group && layout_of(each.problem) != layout;
  });
  held_out.by_procs = by_procs_alone(held_out.table, others);
  return held_out;
}

}  // namespace

std::vector<CrossValidation> cross_validate(std::span<const Decision> decisions,
                                            const tables::Table& table) {
  std::map<Group, std::set<NodeLayout>> measured;
  // Process counts above the cores predict others badly, and are not held out where others are.
  const bool all_aside = all_oversubscribed(decisions);
  for (const Decision& decision : decisions) {
    if (decision.oversubscribed && !all_aside) continue;
    measured[group_of(decision.problem)].insert(known_part(table.candidates, decision.problem));
  }
  std::vector<CrossValidation> all;
  EqualNames equals;
  for (const auto& [group, layouts] : measured) {
    CrossValidation& sums =
        all.emplace_back(CrossValidation{.candidates = table.candidates,
                                         .collective = std::get<Collective>(group),
                                         .form = std::get<CallForm>(group),
                                         .mapping = std::get<Mapping>(group),
                                         .layouts = to_hold_out(table.candidates, layouts)});
    std::map<NodeLayout, HeldOutTables> tables;
    for (const NodeLayout& each : sums.layouts)
      tables.emplace(each, hold_out(decisions, table, group, each));
    CrossValidation by_procs_sums;
    for (const Decision& decision : decisions) {
      const Case& problem = decision.problem;
      const auto found = tables.find(known_part(table.candidates, problem));
      if (group_of(problem) != group || found == tables.end()) continue;
      const HeldOutTables& held_out = found->second;
      std::optional<Loss> cost = loss_of(decision, chosen(held_out.table, problem), equals);
      if (held_out.by_procs) {  // means compare over the same cells
        const auto other = loss_of(decision, chosen(*held_out.by_procs, problem), equals);
        if (!other) cost.reset();
        if (cost) add(by_procs_sums, problem, other);
      }
      add(sums, problem, cost);
    }
    if (sums.cells > 0) sums.mean_regret /= sums.cells;
    if (by_procs_sums.cells > 0)
      sums.mean_regret_by_procs = by_procs_sums.mean_regret / by_procs_sums.cells;
  }
  return all;
}

}  // namespace breakeven::tuner
