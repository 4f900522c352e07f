// SPDX-License-Identifier: BSD-3-Clause
#include "tables/saving.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace breakeven::tables {

namespace {

/// Whether the calls lie between the sizes that were measured at their layout.
bool is_measured(const Table& table, const Use& use) {
  bool from = false;
  bool to = false;
  for (const Rule& rule : table.rules) {
    if (rule.what.collective != use.collective || rule.what.form != use.tuned_form() ||
        layout_of(rule.what) != use.layout) {
      continue;
    }
    from = from || rule.first_measured < 2 * use.message || rule.first_measured == use.message;
    to = to || rule.last_measured >= use.message;
  }
  return from && to;
}

/// "2", "4 as 2 x 2 rr" on several nodes.
std::string text_of(const NodeLayout& layout) {
  return layout.nodes == 1 && layout.comms_per_node == 1
             ? fmt::format("{}", layout.procs)
             : fmt::format("{} as {}", layout.procs, to_text(layout));
}

/// Of the calls' time, the part without waiting for late processes; all where that is not known.
double prompt_time_s(const Profile& profile, const Use& use) {
  double sum_s = 0;
  for (const Profile& each : profile.programs) sum_s += prompt_time_s(each, use);
  const auto amount = profile.uses.find(use);
  if (!profile.programs.empty() || amount == profile.uses.end()) return sum_s;
  const double calls = static_cast<double>(amount->second.calls);
  const std::optional<double> one_s = prompt_s(profile, use);
  return one_s ? std::min(amount->second.seconds, calls * *one_s) : amount->second.seconds;
}

/// These calls, whatever the algorithm.
Use of_any_algorithm(Use use) {
  use.variant = Native{};
  use.native = {};
  return use;
}

}  // namespace

Saving saving_of(const Profile& profile, const Use& use, const Table& table, const Table* library) {
  Saving saving{.variant = use.variant};
  const Table* decides = &table;
  if (use.variant.is<Native>()) {
    if (library == nullptr) return saving;
    decides = library;
    saving.variant = library->choose(problem_of(use)).variant;
    const bool other = saving.variant.is<LibraryOwn>() && use.native.is<LibraryOwn>() &&
                       saving.variant.algorithm() != use.native.algorithm();
    if (other) return {.variant = use.variant};  // the library does not follow the table
  }
  const Rule* const rule = decides->find_rule(problem_of(use));
  if (rule == nullptr || rule->what.variant != saving.variant) return saving;
  if (!saving.variant.is<Native>() && !use.in_place && is_measured(*decides, use))
    saving.speedup = rule->speedup;
  if (saving.speedup && use.form == CallForm::blocking)
    saving.saved_s = prompt_time_s(profile, use) * (saving.speedup->ratio - 1);
  return saving;
}

std::optional<ObservedSaving> observed_saving(const Profile& profile, const Profile& before) {
  struct Before {
    Amount sum{};
    std::optional<double> prompt_s{};
  };
  std::map<Use, Before> calls;
  for (const auto& [use, amount] : before.uses) {
    Before& of = calls[of_any_algorithm(use)];
    of.sum += amount;
    if (const auto one_s = prompt_s(before, use))
      of.prompt_s = std::min(of.prompt_s.value_or(*one_s), *one_s);
  }
  std::optional<ObservedSaving> saved;
  for (const auto& [use, amount] : profile.uses) {
    const auto of = calls.find(of_any_algorithm(use));
    if (use.form != CallForm::blocking || before.uses.contains(use) || of == calls.end()) continue;
    const auto& [sum, before_s] = of->second;
    if (sum.calls == 0) continue;
    const double count = static_cast<double>(amount.calls);
    const double by_means_s = count * sum.seconds / static_cast<double>(sum.calls) - amount.seconds;
    const std::optional<double> now_s = prompt_s(profile, use);
    const double by_prompt_s = now_s && before_s ? count * (*before_s - *now_s) : by_means_s;
    if (!saved) saved.emplace();
    saved->least_s += std::min(by_means_s, by_prompt_s);
    saved->most_s += std::max(by_means_s, by_prompt_s);
  }
  return saved;
}

std::string layouts_without_rules(const Profile& profile, const Table& table) {
  std::set<std::tuple<Collective, CallForm, NodeLayout>> known;
  std::set<std::pair<Collective, CallForm>> calls;
  std::set<std::string> with;
  for (const Rule& rule : table.rules) {
    known.emplace(rule.what.collective, rule.what.form, layout_of(rule.what));
    calls.emplace(rule.what.collective, rule.what.form);
    with.insert(text_of(layout_of(rule.what)));
  }
  std::set<std::string> without;
  for (const auto& [use, amount] : profile.uses) {
    if (!calls.contains({use.collective, use.tuned_form()})) continue;
    if (!known.contains({use.collective, use.tuned_form(), use.layout}))
      without.insert(text_of(use.layout));
  }
  if (without.empty()) return "";
  return fmt::format("the table has no rules for p = {} (it has {})", fmt::join(without, ", "),
                     fmt::join(with, ", "));
}

}  // namespace breakeven::tables
