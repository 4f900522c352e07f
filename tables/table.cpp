// SPDX-License-Identifier: BSD-3-Clause
#include "tables/table.hpp"

#include <algorithm>
#include <cmath>

#include "libraries/library_algorithm.hpp"

namespace breakeven::tables {

namespace {

/// A layout on one node says little about several nodes, where messages pass links: held-out
/// layouts of models have the least regret with this factor (docs/results/tables.md).
constexpr double kOneNode = 4;

double ratio(double one, double other) { return std::max(one, other) / std::min(one, other); }

bool is_mapped_alike(const Case& one, const Case& other) {
  return one.mapping == other.mapping || mapped_alike(one.procs, one.nodes) ||
         mapped_alike(other.procs, other.nodes);
}

/// Whether such calls were measured at some p above and at some below.
bool is_between_measured(std::span<const Rule> rules, const Case& what, int procs) {
  const auto any = [&](auto&& of) {
    return std::ranges::any_of(rules, [&](const Rule& rule) {
      return key_of(rule.what) == key_of(what) && of(rule.what.procs);
    });
  };
  return any([&](int each) { return each < procs; }) && any([&](int each) { return each > procs; });
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

bool Table::on_several_nodes() const {
  return std::ranges::any_of(rules, [](const Rule& rule) { return rule.what.nodes > 1; });
}

double distance(const Case& one, const Case& other) {
  const auto per_node = [](const Case& what) {
    return static_cast<double>(what.procs) / what.nodes;
  };
  const double apart = (one.nodes == 1) == (other.nodes == 1) ? 1 : kOneNode;
  return apart * ratio(one.nodes, other.nodes) * ratio(per_node(one), per_node(other)) *
         ratio(one.comms_per_node, other.comms_per_node);
}

const Rule* Table::find_rule(const Case& problem) const {
  const bool by_procs = candidates == Candidates::library;
  const Rule* best = nullptr;
  double least = 0;
  for (const Rule& rule : rules) {
    const Case& what = rule.what;
    if (what.collective != problem.collective || what.form != problem.form ||
        !(by_procs ? what.mapping == problem.mapping : is_mapped_alike(what, problem))) {
      continue;
    }
    const double away = by_procs ? ratio(what.procs, problem.procs) : distance(what, problem);
    const bool same_place = best != nullptr && (by_procs ? what.procs == best->what.procs
                                                         : place_of(what) == place_of(best->what));
    const bool larger = same_place && what.message <= problem.message;
    if (best == nullptr || away < least || larger) {
      best = &rule;
      least = away;
    }
  }
  return best;
}

Choice Table::choose(const Case& problem) const {
  const Rule* const best = find_rule(problem);
  return best == nullptr ? Choice{} : follow(*best, problem);
}

Choice Table::follow(const Rule& rule, const Case& problem) const {
  const bool same_procs = rule.what.procs == problem.procs;
  const bool measured =
      candidates == Candidates::library ? same_procs : distance(rule.what, problem) == 1;
  const Choice choice{rule.what.variant, measured,
                      measured && rule.certainty == Certainty::decided};
  if (rule.what.variant.is<LibraryOwn>()) {
    const bool known = same_procs || libraries::takes_one_algorithm(rule.what) ||
                       is_between_measured(rules, rule.what, problem.procs);
    Case there = rule.what;
    there.procs = problem.procs;
    there.message = problem.message;
    if (candidates != Candidates::library) {  // whose files do not know where processes are
      there.nodes = problem.nodes;
      there.procs_per_node = problem.procs_per_node;
      there.mapping = problem.mapping;
    }
    return known && !libraries::refusal(there) ? choice : Choice{};
  }
  if (!same_procs && (problem.procs < 1 || !rule.requirement.met(problem.procs))) return {};
  return choice;
}

Case chosen(const Table& table, Case problem) {
  problem.variant = table.choose(problem).variant;
  return problem;
}

Variant choice_of(const Table& table, const Table* library, const Case& problem) {
  Variant choice = chosen(table, problem).variant;
  if (choice.is<Native>() && library != nullptr) choice = chosen(*library, problem).variant;
  return choice;
}

}  // namespace breakeven::tables
