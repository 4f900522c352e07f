// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/candidates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/unknown.hpp"
#include "harness/plan/model.hpp"
#include "harness/plan/predictor.hpp"
#include "harness/plan/variants.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/equal.hpp"
#include "libraries/library_algorithm.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::plan {

namespace {

void add(Skips& skipped, std::string reason, std::string what, int procs) {
  std::vector<int>& at = skipped[{std::move(reason), std::move(what)}];
  if (at.empty() || at.back() != procs) at.push_back(procs);
}

Case with(const Case& problem, const kernels::Algorithm& algorithm, std::string params = "") {
  return with_variant(problem, Ours{std::string{algorithm.name}, std::move(params)});
}

/// Names an algorithm of ours that can't run there.
void skip(const Case& what, std::string_view requirement, Skips& skipped) {
  add(skipped, fmt::format("needs {}", requirement), algorithm_text(what), what.procs);
}

/// The cases that a user's text for the parameters of an algorithm of ours stands for and that run.
std::vector<Case> meant_by(const kernels::Algorithm& algorithm, const std::string& text,
                           std::span<const Case> problems, std::span<const sim::Machine> machines,
                           Skips& skipped) {
  const Case& problem = problems.front();
  const Case named = with(problem, algorithm, text);
  const AskedVariants asked{algorithm, problem, text};
  if (asked.all().empty()) skip(named, asked.requirement(), skipped);
  if (asked.left_out() > 0) {
    add(skipped, "ranked behind the others by models",
        fmt::format("{} of {} of {}", asked.left_out(), asked.all().size(), algorithm_text(named)),
        problem.procs);
  }
  std::vector<Case> found;
  for (const std::string& params : asked.measured(problems, machines)) {
    found.push_back(with(problem, algorithm, params));
  }
  return found;
}

/// Of candidates with equal schedules the first, without parameters if there is one; the others are
/// skipped. Those that were asked for are named, and come before those that were not.
std::vector<Case> one_of_equals(const std::vector<Case>& asked, const std::vector<Case>& unasked,
                                Skips& skipped) {
  if (asked.empty()) return {};
  std::vector<kernels::Instance> variants;
  for (const std::vector<Case>* const cases : {&asked, &unasked}) {
    for (const Case& each : *cases) {
      const auto variant = kernels::find_instance(each.collective, each.variant);
      if (std::ranges::find(variants, variant) == variants.end()) variants.push_back(variant);
    }
  }
  std::ranges::stable_partition(variants, [](const auto& each) { return each.params.empty(); });
  const auto case_of = [&](const kernels::Instance& each) {
    return with_variant(asked.front(), variant_of(each));
  };
  std::vector<Case> found;
  kernels::EqualSchedules schedules{kernels::problem_of(asked.front())};
  for (const kernels::Equals& group : schedules.groups(variants)) {
    const Case& first = found.emplace_back(case_of(group.variants.front()));
    for (const kernels::Instance& each : std::span{group.variants}.subspan(1)) {
      if (std::ranges::find(asked, case_of(each)) == asked.end()) continue;
      add(skipped, group.text(first.procs),
          fmt::format("{} = {}", algorithm_text(case_of(each)), to_text(first.variant)),
          first.procs);
    }
  }
  return found;
}

/// Drops the candidates of a problem whose calls MPI's int counts can't express. Our algorithms
/// stay where MPI takes the counts one by one.
void drop_uncallable(const Case& problem, std::vector<Case>& candidates, Skips& skipped) {
  const auto why =
      kernels::beyond_int({.problem = kernels::problem_of(problem),
                           .count = problem.message.value / extent(problem.datatype).value,
                           .begins = kernels::begins_of(problem, {}),
                           .datatype = problem.datatype});
  if (!why) return;
  const auto needs_call = [&](const Case& what) {
    return !irregular(what.collective) || kernels::known_algorithm(what) == nullptr;
  };
  if (std::erase_if(candidates, needs_call) == 0) return;
  add(skipped, *why,
      fmt::format("the library's {} of {}, {} counts", kCollectives.of(problem.collective),
                  to_text(problem.message), kCounts.of(problem.counts)),
      problem.procs);
}

Variant library_algorithm(const Sweep& sweep, const ListedAlgorithm& listed) {
  return LibraryOwn{sweep.machine, listed.name};
}

Variant plain(const kernels::Algorithm* algorithm) { return Ours{std::string{algorithm->name}}; }

}  // namespace

CandidateFinder::CandidateFinder(const Sweep& sweep, MachineKind kind,
                                 const LibraryCapabilities& capabilities)
    : sweep_{sweep}, kind_{kind}, capabilities_{capabilities} {
  for (const std::string& word : sweep_.algorithms) check(AlgorithmWord{word});
  if (kind == MachineKind::model &&
      std::ranges::any_of(sweep.forms, [](CallForm form) { return form != CallForm::blocking; })) {
    throw UsageError(fmt::format(
        "forms of calls asked for on model '{}', which knows blocking ones", sweep.machine));
  }
  if (kind == MachineKind::model && sim::is_model(sweep.machine)) {
    machines_ = {parse_model(sweep.machine).machine.general.machine};
    return;
  }
  const std::span<const sim::Machine> many = machines_of_many_kinds();
  machines_.assign(many.begin(), many.end());
  // In addition: a wrong model must not hide what others make worth trying.
  if (!sweep.prune_by.empty()) {
    machines_.push_back(parse_exact_model(sweep.prune_by).general.machine);
  }
}

void CandidateFinder::check(const AlgorithmWord& word) const {
  const std::string text =
      fmt::format("{}{}{}", word.collective, word.collective.empty() ? "" : "/", word.algorithm);
  if (word.is_group() && !word.params.empty()) {
    throw UsageError(fmt::format("'{}' asked for with parameters; it names many algorithms", text));
  }
  if (word.library == kNative || word.algorithm == kMockUps) return check_mock_up(word);
  if (!word.library.empty() || word.algorithm == kLibrarys) return check_library(word);
  const auto is_native = [&](Collective of) { return word.means(of, Native{}); };
  if (std::ranges::any_of(sweep_.collectives, is_native)) {
    if (!word.params.empty()) {
      throw UsageError(
          fmt::format("'{}:{}' asked for; native takes no parameters", text, word.params));
    }
    if (kind_ == MachineKind::library) return;
    throw UsageError(fmt::format(
        "'native' asked for on model '{}', which has no library of its own", sweep_.machine));
  }
  std::vector<Case> known;
  for (const Collective collective : sweep_.collectives) {
    for (const kernels::Algorithm* each : kernels::catalogue(collective)) {
      known.push_back({.collective = collective, .variant = plain(each)});
    }
  }
  require_one_of(known, word, "algorithm", text, {"native", "mock_ups", "breakeven", "library"});
}

/// @param name   of the word in the refusal
/// @param groups  possible too
void CandidateFinder::require_one_of(const std::vector<Case>& known, const AlgorithmWord& word,
                                     std::string_view kind, std::string_view name,
                                     std::vector<std::string> groups) const {
  std::vector<std::string> possible = std::move(groups);
  for (const Case& each : known) {
    if (std::ranges::find(sweep_.collectives, each.collective) == sweep_.collectives.end())
      continue;
    if (word.means(each.collective, each.variant)) return;
    possible.push_back(algorithm_text(each));
  }
  throw UsageError(fmt::format("in this sweep's collectives there is {}",
                               unknown(kind, name, {possible.begin(), possible.end()})));
}

void CandidateFinder::check_mock_up(const AlgorithmWord& word) const {
  if (kind_ != MachineKind::library) {
    throw UsageError(fmt::format(
        "mock-ups asked for on model '{}', which has no library of its own", sweep_.machine));
  }
  if (word.is_group()) return;
  std::vector<Case> known;
  for (const mock_ups::MockUp& each : mock_ups::catalogue()) {
    known.push_back({.collective = each.collective, .variant = each.variant()});
  }
  require_one_of(known, word, "mock-up", word.algorithm);
}

void CandidateFinder::check_library(const AlgorithmWord& word) const {
  if (!word.library.empty() && word.library != sweep_.machine) {
    throw UsageError(fmt::format("an algorithm of {} asked for, but the machine is '{}'",
                                 word.library, sweep_.machine));
  }
  const bool blocking = std::ranges::count(sweep_.forms, CallForm::blocking) > 0;
  if (!capabilities_.note.empty() && blocking) {
    throw UsageError(
        fmt::format("the library's own algorithms asked for, but {}", capabilities_.note));
  }
  std::vector<Case> known;
  for (const CallForm form : sweep_.forms) {
    for (const ListedAlgorithm& each : capabilities_.of(form)) {
      known.push_back({.collective = each.collective,
                       .form = form,
                       .variant = library_algorithm(sweep_, each)});
    }
  }
  require_one_of(known, word, "library algorithm", word.algorithm);
}

std::vector<std::string> CandidateFinder::asked_by_name(Collective collective,
                                                        const Variant& variant) const {
  std::vector<std::string> found;
  for (const std::string& text : sweep_.algorithms) {
    const AlgorithmWord word{text};
    if (word.is_group() || !word.means(collective, variant)) continue;
    std::string params = kernels::Params::parse(word.params).text();
    if (std::ranges::find(found, params) == found.end()) found.push_back(std::move(params));
  }
  return found;
}

bool CandidateFinder::asked_as_one_of_all(Collective collective, const Variant& variant) const {
  if (sweep_.algorithms.empty()) return true;
  return std::ranges::any_of(sweep_.algorithms, [&](const std::string& text) {
    const AlgorithmWord word{text};
    return word.is_group() && word.means(collective, variant);
  });
}

std::vector<Case> CandidateFinder::native(const Case& problem) const {
  const bool asked = asked_as_one_of_all(problem.collective, Native{}) ||
                     !asked_by_name(problem.collective, Native{}).empty();
  if (kind_ != MachineKind::library || !asked) return {};
  return {with_variant(problem, Native{})};
}

std::vector<Case> CandidateFinder::mock_ups(const Case& problem) const {
  std::vector<Case> found;
  for (const mock_ups::MockUp& each : mock_ups::catalogue()) {
    if (!mock_ups::serves(each, problem)) continue;
    const bool asked = std::ranges::any_of(sweep_.algorithms, [&](const std::string& text) {
      return AlgorithmWord{text}.means(each.collective, each.variant());
    });
    if (asked) found.push_back(with_variant(problem, each.variant()));
  }
  return found;
}

/// The same at each size: an algorithm that may pay at one size is tried at all.
std::vector<Case> CandidateFinder::ours(std::span<const Case> problems, Skips& skipped) const {
  const Case& problem = problems.front();
  std::vector<Case> asked;
  std::vector<Case> unasked;
  std::optional<Predictor> predictor;
  if (kind_ == MachineKind::model && sim::is_model(sweep_.machine)) {
    predictor.emplace(sim::MachineDescription{.general = {.machine = machines_.front()}});
  }
  for (const kernels::Algorithm* algorithm : kernels::catalogue(problem.collective)) {
    for (const std::string& text : asked_by_name(problem.collective, plain(algorithm))) {
      std::ranges::move(meant_by(*algorithm, text, problems, machines_, skipped),
                        std::back_inserter(asked));
    }
    if (!asked_as_one_of_all(problem.collective, plain(algorithm))) continue;
    const Case what = with(problem, *algorithm);
    if (!kernels::runs(*algorithm, kernels::problem_of(what))) {
      skip(what, kernels::requirement_text(*algorithm), skipped);
      continue;
    }
    if (predictor && !predictor->has_time(what)) {
      add(skipped, Predictor::too_much_text(), algorithm_text(what), what.procs);
      continue;
    }
    asked.push_back(what);
    for (const std::string& params :
         worth_trying(*algorithm, problems, sweep_.reorder_ranks, machines_)) {
      unasked.push_back(with(problem, *algorithm, params));
    }
  }
  return one_of_equals(asked, unasked, skipped);
}

std::optional<std::string> CandidateFinder::refusal(Case what) const {
  const auto reason = libraries::refusal(what);
  if (reason || capabilities_.shares_memory) return reason;
  what.nodes = what.procs;
  what.procs_per_node = 1;
  what.mapping = Mapping::seq;
  const auto alone = libraries::refusal(what);
  if (!alone) return std::nullopt;
  return *alone + ", and this library takes each process for a node: it shares no memory";
}

/// Whether they run as they are named depends on the size, and may on the counts.
void CandidateFinder::add_library(std::span<const Case> problems,
                                  std::vector<std::vector<Case>>& candidates,
                                  Skips& skipped) const {
  if (kind_ != MachineKind::library || problems.empty()) return;
  const Collective collective = problems.front().collective;
  const int procs = problems.front().procs;
  if (!capabilities_.note.empty() && problems.front().form == CallForm::blocking) {
    add(skipped, capabilities_.note, "the library's own algorithms", procs);
    return;
  }
  for (const ListedAlgorithm& listed : capabilities_.of(problems.front().form)) {
    if (listed.collective != collective) continue;
    const Variant own = library_algorithm(sweep_, listed);
    const std::vector<std::string> by_name = asked_by_name(collective, own);
    const bool one_of_all = asked_as_one_of_all(collective, own);
    if (by_name.empty() && !one_of_all) continue;
    bool ran = false;
    const std::string name = algorithm_text(with_variant(problems.front(), own));
    std::string reason;
    std::string_view where;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const Case of_size = with_variant(problems[i], own);
      for (const std::string& params :
           one_of_all ? libraries::library_variants(of_size) : by_name) {
        const Case what = with_variant(of_size, own.with_params(params));
        const std::optional<std::string> refused = refusal(what);
        if (!refused) candidates[i].push_back(what);
        ran |= !refused;
        if (!refused) continue;
        reason = *refused;
        where = refusal(with_counts(what, Counts::equal)) ? "at some sizes" : "with some counts";
      }
    }
    if (!ran && !one_of_all) {
      throw UsageError(fmt::format("{} {}; asked for p = {}", name, reason, procs));
    }
    if (!reason.empty())
      add(skipped, ran ? fmt::format("{}, {}", reason, where) : reason, name, procs);
  }
}

std::vector<std::vector<Case>> CandidateFinder::find(std::span<const Case> problems,
                                                     Skips& all_skipped) const {
  std::vector<std::vector<Case>> candidates(problems.size());
  if (problems.empty()) return candidates;
  Skips skipped;
  std::vector<Case> of_any_size = native(problems.front());
  const std::vector<Case> our_own = ours(problems, skipped);
  of_any_size.insert(of_any_size.end(), our_own.begin(), our_own.end());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    candidates[i] = mock_ups(problems[i]);
    for (const Case& each : of_any_size) {
      candidates[i].push_back(with_variant(problems[i], each.variant));
    }
  }
  add_library(problems, candidates, skipped);
  if (std::ranges::all_of(candidates, &std::vector<Case>::empty)) {
    add(skipped, "none of the algorithms asked for",
        std::string{kCollectives.of(problems.front().collective)}, problems.front().procs);
  }
  for (std::size_t i = 0; kind_ == MachineKind::library && i < problems.size(); ++i) {
    drop_uncallable(problems[i], candidates[i], skipped);
  }
  std::erase_if(candidates, [](const std::vector<Case>& each) { return each.empty(); });
  for (const auto& [skip, procs] : skipped) {
    add(all_skipped, skip.reason, skip.what + form_suffix(problems.front().form), procs.front());
  }
  return candidates;
}

void CandidateFinder::require_each_found(std::span<const std::vector<Case>> problems) const {
  for (const std::string& text : sweep_.algorithms) {
    const AlgorithmWord word{text};
    if (word.is_group() || !word.library.empty() || word.algorithm == kNative) continue;
    const bool runs = std::ranges::any_of(problems, [&](const std::vector<Case>& candidates) {
      const Case& problem = candidates.front();
      return std::ranges::any_of(kernels::catalogue(problem.collective),
                                 [&](const kernels::Algorithm* each) {
                                   return word.means(problem.collective, plain(each)) &&
                                          !AskedVariants{*each, problem, word.params}.all().empty();
                                 });
    });
    if (runs) continue;
    std::vector<std::string> needs;
    for (const Collective collective : sweep_.collectives) {
      for (const kernels::Algorithm* each : kernels::catalogue(collective)) {
        if (!word.means(collective, plain(each))) continue;
        const Case first{.collective = collective, .procs = layouts_of(sweep_).front().procs};
        needs.push_back(fmt::format("{}/{} needs {}", kCollectives.of(collective), each->name,
                                    AskedVariants{*each, first, word.params}.requirement()));
      }
    }
    std::set<int> procs;
    for (const NodeLayout& each : layouts_of(sweep_)) procs.insert(each.procs);
    throw UsageError(fmt::format("'{}' can't run at p = {}: {}", text, fmt::join(procs, ", "),
                                 fmt::join(needs, "; ")));
  }
}

}  // namespace breakeven::plan
