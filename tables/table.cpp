// SPDX-License-Identifier: BSD-3-Clause
#include "tables/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "libraries/library_algorithm.hpp"

namespace breakeven::tables {

namespace {

/// Whether p = `one` is nearer to `procs` than p = `other`, by ratio; of two equal ratios the
/// smaller p is.
bool nearer(std::int64_t procs, std::int64_t one, std::int64_t other) {
  const auto [one_low, one_high] = std::minmax(procs, one);
  const auto [other_low, other_high] = std::minmax(procs, other);
  const std::int64_t left = one_high * other_low;
  const std::int64_t right = other_high * one_low;
  return left < right || (left == right && one < other);
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

bool Table::on_several_nodes() const {
  return std::ranges::any_of(rules, [](const Rule& rule) { return rule.what.nodes > 1; });
}

const Rule* Table::find_rule(Collective collective, int procs, Bytes message,
                             const Mapping& mapping, CallForm form) const {
  const Rule* best = nullptr;
  for (const Rule& rule : rules) {
    if (key_of(rule.what) != std::tie(collective, form, mapping)) continue;
    const bool same_procs = best != nullptr && rule.what.procs == best->what.procs;
    if (best == nullptr || nearer(procs, rule.what.procs, best->what.procs) ||
        (same_procs && rule.what.message <= message)) {
      best = &rule;
    }
  }
  return best;
}

Choice Table::choose(Collective collective, int procs, Bytes message, const Mapping& mapping,
                     CallForm form) const {
  const Rule* const best = find_rule(collective, procs, message, mapping, form);
  return best == nullptr ? Choice{} : follow(*best, procs, message);
}

Choice Table::follow(const Rule& rule, int procs, Bytes message) const {
  const bool measured = rule.what.procs == procs;
  const Choice choice{rule.what.variant, measured,
                      measured && rule.certainty == Certainty::decided};
  if (rule.what.variant.is<LibraryOwn>()) {
    const bool known = measured || libraries::takes_one_algorithm(rule.what) ||
                       is_between_measured(rules, rule.what, procs);
    return known && !libraries::refusal(at(rule.what, procs, message)) ? choice : Choice{};
  }
  const bool for_its_procs_alone = !rule.what.variant.params().empty();
  if (!measured && (procs < 1 || for_its_procs_alone || !rule.requirement.met(procs))) return {};
  return choice;
}

Case chosen(const Table& table, Case problem) {
  problem.variant =
      table
          .choose(problem.collective, problem.procs, problem.message, problem.mapping, problem.form)
          .variant;
  return problem;
}

Variant choice_of(const Table& table, const Table* library, const Case& problem) {
  Variant choice = chosen(table, problem).variant;
  if (choice.is<Native>() && library != nullptr) choice = chosen(*library, problem).variant;
  return choice;
}

}  // namespace breakeven::tables
