// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "kernels/catalogue.hpp"
#include "libraries/library_algorithm.hpp"
#include "mock_ups/mock_up.hpp"
#include "tuner/break_even.hpp"
#include "tuner/table_key.hpp"

namespace breakeven::tuner {

namespace {

/// A library's own algorithms say what they need of p and size together: see `refusal`. What one
/// of ours asks of parameters doesn't matter here: a rule with parameters is for its own p alone.
kernels::ProcsRequirement requirement_of(const Case& what) {
  if (what.algorithm == kNative || libraries::library_name(what.algorithm) ||
      mock_ups::is_mock_up(what.algorithm)) {
    return kernels::kAnyProcs;
  }
  return kernels::find_algorithm(what.collective, what.algorithm).requirement;
}

Rule rule_from(const Decision& decision) {
  const Candidate& choice = decision.choice();
  const Case what = with_counts(choice.times.what, Counts::equal);
  Rule rule{.what = what,
            .previous = what.message,
            .first_measured = what.message,
            .last_measured = what.message,
            .requirement = requirement_of(what),
            .certainty = decision.certainty,
            .speedup = decision.speedup,
            .near_best = decision.near_best,
            .rivals = decision.rivals,
            .launches = choice.launches,
            .oversubscribed = decision.oversubscribed,
            .decided_sizes = decision.certainty == Certainty::decided ? 1 : 0};
  if (decision.speedup && !choice.native()) rule.gains = {{what.message, *decision.speedup}};
  for (const Contest& contest : decision.contests) {
    const Candidate* const chosen = contest.find(what);
    if (chosen == nullptr) continue;
    rule.launches = std::min(rule.launches, chosen->launches);
  }
  return rule;
}

/// The rule that covers the sizes of both: the first size is of `rule`, the certainty is the worst.
Rule extended(Rule rule, const Rule& next) {
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

std::vector<Rule> rules_from(std::span<const Decision> decisions) {
  std::vector<Rule> rules;
  const Decision* smaller = nullptr;
  for (const Decision& decision : decisions) {
    Rule rule = rule_from(decision);
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
  return rules;
}

/// Whether p = `one` is nearer to `procs` than p = `other`, by ratio; of two equal ratios the
/// smaller p is.
bool nearer(std::int64_t procs, std::int64_t one, std::int64_t other) {
  const auto [one_low, one_high] = std::minmax(procs, one);
  const auto [other_low, other_high] = std::minmax(procs, other);
  const std::int64_t left = one_high * other_low;
  const std::int64_t right = other_high * one_low;
  return left < right || (left == right && one < other);
}

/// Whether the collective was measured at some p above and at some below, under this mapping.
bool is_between_measured(std::span<const Rule> rules, const Case& what, int procs) {
  const auto any = [&](auto&& of) {
    return std::ranges::any_of(rules, [&](const Rule& rule) {
      return rule.what.collective == what.collective && rule.what.mapping == what.mapping &&
             of(rule.what.procs);
    });
  };
  return any([&](int each) { return each < procs; }) && any([&](int each) { return each > procs; });
}

Case at(Case what, int procs, Bytes message) {
  what.procs = procs;
  what.message = message;
  return what;
}

}  // namespace

Speedup mean_speedup(std::span<const SizeGain> gains) {
  const auto mean = [&](double Speedup::* part) {
    double sum = 0;
    for (const SizeGain& each : gains) sum += std::log(each.speedup.*part);
    return std::exp(sum / static_cast<double>(gains.size()));
  };
  return {mean(&Speedup::ratio), mean(&Speedup::low), mean(&Speedup::high)};
}

const Rule* Table::find_rule(Collective collective, int procs, Bytes message,
                             const Mapping& mapping) const {
  const Rule* best = nullptr;
  for (const Rule& rule : rules) {
    if (rule.what.collective != collective || rule.what.mapping != mapping) continue;
    const bool same_procs = best != nullptr && rule.what.procs == best->what.procs;
    if (best == nullptr || nearer(procs, rule.what.procs, best->what.procs) ||
        (same_procs && rule.what.message <= message)) {
      best = &rule;
    }
  }
  return best;
}

Choice Table::choose(Collective collective, int procs, Bytes message,
                     const Mapping& mapping) const {
  const Rule* const best = find_rule(collective, procs, message, mapping);
  return best == nullptr ? Choice{} : follow(*best, procs, message);
}

Choice Table::follow(const Rule& rule, int procs, Bytes message) const {
  const bool measured = rule.what.procs == procs;
  const Choice choice{rule.what.algorithm, rule.what.params, measured,
                      measured && rule.certainty == Certainty::decided};
  if (libraries::library_name(rule.what.algorithm)) {
    const bool known = measured || is_between_measured(rules, rule.what, procs);
    return known && !libraries::refusal(at(rule.what, procs, message)) ? choice : Choice{};
  }
  const bool for_its_procs_alone = !rule.what.params.empty();
  if (!measured && (procs < 1 || for_its_procs_alone || !rule.requirement.met(procs))) return {};
  return choice;
}

Case chosen(const Table& table, Case problem) {
  const Choice choice =
      table.choose(problem.collective, problem.procs, problem.message, problem.mapping);
  problem.algorithm = choice.algorithm;
  problem.params = choice.params;
  return problem;
}

std::string chosen_variant(const Table& table, const Case& problem) {
  return variant_text(chosen(table, problem));
}

Table make_table(std::span<const Measurement> measurements, const TableKey& which) {
  const std::vector<Measurement> selected = select(measurements, which);
  return make_table(selected, decide(selected, which.fixed, which.program_time), which.candidates);
}

Table make_table(std::span<const Measurement> selected, std::span<const Decision> decisions,
                 Candidates candidates) {
  Table table{.candidates = candidates, .datatype = selected.front().what.datatype};
  for (const Measurement& measurement : selected) {
    if (reduces(measurement.what.collective)) table.op = measurement.what.op;
    if (rooted(measurement.what.collective)) table.root = measurement.what.root;
  }
  table.rules = rules_from(decisions);
  if (table.rules.empty()) {
    throw UsageError("no algorithm was measured with all the counts that others were: no table");
  }
  return table;
}

}  // namespace breakeven::tuner
