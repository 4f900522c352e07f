// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/make_table.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/problem.hpp"
#include "tuner/break_even.hpp"
#include "tuner/by_procs.hpp"

namespace breakeven::tuner {

namespace {

/// Whether the parameters fit each p that the algorithm runs at, on one node and on many: tried up
/// to a p beyond the radices and lists that algorithms propose.
bool fits_any_procs(const kernels::Algorithm& algorithm, const Case& what) try {
  constexpr int kMostProcs = 36;
  const kernels::Params params = kernels::problem_of(what).params;
  for (int procs = 2; procs <= kMostProcs; ++procs) {
    if (!algorithm.requirement.met(procs)) continue;
    for (const int on_node : {1, 2, procs}) {
      const kernels::Problem there{.collective = what.collective,
                                   .procs = procs,
                                   .params = params,
                                   .placement = {.procs_per_node = on_node}};
      if (!kernels::runs(algorithm, there)) return false;
    }
  }
  return true;
} catch (const UsageError&) {  // an order of ranks is for one p
  return false;
}

/// A library's own algorithms need something of p and size together: see `refusal`.
kernels::ProcsRequirement requirement_of(const Case& what) {
  const Ours* const ours = what.variant.ours();
  if (ours == nullptr) return kernels::kAnyProcs;
  const kernels::Algorithm& algorithm = kernels::find_algorithm(what.collective, ours->name);
  const bool fits = ours->params.empty() || fits_any_procs(algorithm, what);
  return fits ? algorithm.requirement : tables::kMeasuredProcs;
}

tables::Rule rule_from(const Decision& decision) {
  const Candidate& choice = decision.choice();
  const Case what = with_counts(choice.times.what, Counts::equal);
  tables::Rule rule{.what = what,
                    .previous = what.message,
                    .first_measured = what.message,
                    .last_measured = what.message,
                    .certainty = decision.certainty,
                    .speedup = decision.speedup,
                    .near_best = decision.near_best,
                    .rivals = decision.rivals,
                    .launches = choice.launches,
                    .oversubscribed = decision.oversubscribed,
                    .decided_sizes = decision.certainty == tables::Certainty::decided ? 1 : 0};
  if (decision.speedup && !choice.native()) rule.gains = {{what.message, *decision.speedup}};
  for (const Contest& contest : decision.contests) {
    const Candidate* const chosen = contest.find(what);
    if (chosen == nullptr) continue;
    rule.launches = std::min(rule.launches, chosen->launches);
  }
  return rule;
}

/// The rule that covers the sizes of both: the first size is of `rule`, the certainty is the worst.
tables::Rule extended(tables::Rule rule, const tables::Rule& next) {
  rule.last_measured = next.last_measured;
  rule.certainty = std::max(rule.certainty, next.certainty);
  if (next.speedup && (!rule.speedup || next.speedup->ratio < rule.speedup->ratio))
    rule.speedup = next.speedup;
  if (next.near_best < rule.near_best) {
    rule.near_best = next.near_best;
    rule.rivals = next.rivals;
  }
  rule.launches = std::min(rule.launches, next.launches);
  rule.oversubscribed |= next.oversubscribed;
  rule.sizes += next.sizes;
  rule.decided_sizes += next.decided_sizes;
  rule.gains.insert(rule.gains.end(), next.gains.begin(), next.gains.end());
  return rule;
}

std::vector<tables::Rule> rules_from(std::span<const Decision> decisions) {
  std::vector<tables::Rule> rules;
  const Decision* smaller = nullptr;
  for (const Decision& decision : decisions) {
    tables::Rule rule = rule_from(decision);
    if (smaller == nullptr || !differ_in_size_alone(smaller->problem, decision.problem)) {
      rules.push_back(std::move(rule));
    } else if (decision.choice().is(smaller->choice().times.what)) {
      rules.back() = extended(std::move(rules.back()), rule);
    } else {
      rule.previous = smaller->problem.message;
      rule.what.message = break_even(*smaller, decision);
      rule.steepness = steepness(*smaller, decision);
      rules.push_back(std::move(rule));
    }
    smaller = &decision;
  }
  for (tables::Rule& rule : rules) rule.requirement = requirement_of(rule.what);
  return rules;
}

}  // namespace

tables::Table make_table(std::span<const Measurement> measurements, const TableKey& which) {
  const std::vector<Measurement> selected = select(measurements, which);
  return make_table(selected, decide(selected, which), which.candidates);
}

std::vector<Decision> decide(std::span<const Measurement> selected, const TableKey& which) {
  std::vector<Decision> decisions = decide(selected, which.fixed, which.program_time);
  choose_one_for_all(decisions, which.fixed);
  return decisions;
}

tables::Table make_table(std::span<const Measurement> selected, std::span<const Decision> decisions,
                         tables::Candidates candidates) {
  tables::Table table{.candidates = candidates, .datatype = selected.front().what.datatype};
  for (const Measurement& measurement : selected) {
    if (reduces(measurement.what.collective)) table.op = measurement.what.op;
    if (rooted(measurement.what.collective)) table.root = measurement.what.root;
  }
  if (candidates == tables::Candidates::library) {
    ByProcs kept = by_procs(of_one_mapping({decisions.begin(), decisions.end()}));
    table.rules = rules_from(kept.decisions);
    table.lost_layouts = std::move(kept.lost);
  } else {
    table.rules = rules_from(decisions);
  }
  if (table.rules.empty()) {
    throw UsageError("no algorithm was measured with all the counts that others were: no table");
  }
  return table;
}

}  // namespace breakeven::tuner
