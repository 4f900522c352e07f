// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <chrono>

#include "cli/progress.hpp"
#include "cli/schedule.hpp"
#include "cli/setting_text.hpp"
#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/proof.hpp"
#include "kernels/verify.hpp"

namespace breakeven {

namespace {

/// What was proven of one algorithm.
struct Proof {
  std::size_t procs = 0;     // process counts at which it runs
  std::size_t problems = 0;  // with all roots and parameters
  Verdict verdict{};

  void add(const Problem& problem, const Algorithm& algorithm) {
    const Verdict one = verify(problem, world_of(algorithm, problem));
    verdict.in_rank_order = verdict.in_rank_order && one.in_rank_order;
    verdict.identical = verdict.identical && one.identical;
    ++problems;
  }
};

std::vector<Named> everything() {
  std::vector<Named> rows;
  for (const auto& [collective, name] : kCollectives.entries) {
    for (const Algorithm* algorithm : catalogue(collective)) {
      rows.push_back({collective, algorithm, {}});
    }
  }
  return rows;
}

/// The problems at p: those worth proving, or only the parameters that were asked for.
std::vector<Problem> problems_at(const Named& what, const ScheduleOptions& options, int procs) {
  std::vector<Problem> problems;
  if (what.params.empty()) {
    problems = problems_to_prove(what.collective, *what.algorithm, procs);
  } else {
    for (const Rank root : roots_to_prove(what.collective, procs)) {
      problems.push_back(
          {.collective = what.collective, .procs = procs, .root = root, .params = what.params});
    }
  }
  for (Problem& problem : problems) {
    problem.placement = placement_of(options, procs);
  }
  std::erase_if(problems, [&](const Problem& each) { return !runs(*what.algorithm, each); });
  return problems;
}

std::string in_words(const Named& what, const Proof& proof, std::size_t asked) {
  std::string text =
      fmt::format("{} problems at {} of {} process counts", proof.problems, proof.procs, asked);
  if (proof.procs < asked) text += fmt::format(" (needs {})", what.algorithm->needs.words);
  if (reduces(what.collective)) text += proof.verdict.in_rank_order ? ", in rank order" : "";
  if (what.collective == Collective::allreduce && proof.verdict.identical) text += ", same bits";
  return text;
}

}  // namespace

int verify_schedules(const ScheduleOptions& options) {
  const auto procs =
      read(options.procs.empty() ? "2..32" : options.procs, std::type_identity<std::vector<int>>{});
  std::vector<Named> rows;
  for (const std::string& word : options.words) rows.push_back(named(word, options));
  if (options.words.empty()) rows = everything();

  Progress progress{rows.size() * procs.size(), "proven"};
  std::size_t problems = 0;
  for (const Named& what : rows) {
    const std::string params = what.params.text();
    const std::string name = fmt::format("{}/{}{}{}", kCollectives.of(what.collective),
                                         what.algorithm->name, params.empty() ? "" : ":", params);
    progress.begin_part(name);
    Proof proof;
    for (const int p : procs) {
      const std::vector<Problem> at_p = problems_at(what, options, p);
      for (const Problem& problem : at_p) proof.add(problem, *what.algorithm);
      proof.procs += at_p.empty() ? 0 : 1;
      progress.advance();
    }
    if (proof.procs == 0) {
      throw UsageError(fmt::format("{} runs at none of these process counts: it needs {}", name,
                                   what.algorithm->needs.words));
    }
    progress.clear();
    fmt::print("{:<44} {}\n", name, in_words(what, proof, procs.size()));
    problems += proof.problems;
  }
  progress.clear();
  fmt::print("{} algorithms, {} problems: every one right\n", rows.size(), problems);
  return 0;
}

}  // namespace breakeven
