// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cstdint>

#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/schedule.hpp"
#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/fingerprint.hpp"
#include "kernels/verify.hpp"

namespace breakeven::cli {

namespace {

constexpr int kMostInFull = 1024;                          // beyond it, symbols take gigabytes
constexpr std::size_t kMostSteps = std::size_t{1} << 24U;  // of all ranks: schedules of gigabytes
constexpr std::uint64_t kSeed = 20261122;

/// The proofs of one algorithm.
struct Proof {
  std::size_t procs = 0;      // process counts at which it runs
  std::size_t problems = 0;   // with all roots and parameters
  std::size_t in_full = 0;    // of these
  std::size_t too_long = 0;   // problems that weren't proven
  kernels::Followed least{};  // of a problem proven by fingerprints
  kernels::Verdict verdict{};

  void add(const kernels::Problem& problem, const kernels::Algorithm& algorithm) {
    if (problem.procs > kMostInFull) return add_by_fingerprints(problem, algorithm);
    const kernels::Verdict one = kernels::verify(problem, kernels::world_of(algorithm, problem));
    verdict.in_rank_order = verdict.in_rank_order && one.in_rank_order;
    verdict.identical = verdict.identical && one.identical;
    verdict.fixed_tree = verdict.fixed_tree && one.fixed_tree;
    ++problems;
    ++in_full;
  }

 private:
  void add_by_fingerprints(kernels::Problem problem, const kernels::Algorithm& algorithm) {
    const auto ranks = static_cast<std::size_t>(problem.procs);
    for (const int rank : {0, 1, problem.procs / 2, problem.procs - 1}) {
      problem.me = {rank};
      if (ranks * kernels::count_steps(kernels::build_schedule(algorithm, problem)) > kMostSteps) {
        ++too_long;
        return;
      }
    }
    const kernels::Followed followed =
        kernels::prove_by_fingerprints(problem, kernels::world_of(algorithm, problem), kSeed);
    if (least.of == 0 || followed.count * least.of < least.count * followed.of) least = followed;
    ++problems;
  }
};

std::vector<Named> everything() {
  std::vector<Named> rows;
  for (const auto& [collective, name] : kCollectives.entries) {
    for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
      rows.push_back({collective, algorithm, {}});
    }
  }
  return rows;
}

/// The problems at p: those worth proving, or only the parameters that were asked for.
std::vector<kernels::Problem> problems_at(const Named& what, const ScheduleOptions& options,
                                          int procs) {
  std::vector<kernels::Problem> problems;
  if (what.params.empty()) {
    problems = kernels::problems_to_prove(what.collective, *what.algorithm, procs);
  } else {
    for (const Rank root : kernels::roots_to_prove(what.collective, procs)) {
      problems.push_back(
          {.collective = what.collective, .procs = procs, .root = root, .params = what.params});
    }
  }
  for (kernels::Problem& problem : problems) {
    problem.placement = placement_of(options, procs);
  }
  std::erase_if(problems, [&](const kernels::Problem& each) {
    return !kernels::runs(*what.algorithm, each);
  });
  return problems;
}

std::string result_text(const Named& what, const Proof& proof, std::size_t asked) {
  std::string text =
      fmt::format("{} problems at {} of {} process counts", proof.problems, proof.procs, asked);
  if (proof.procs < asked)
    text += fmt::format(" (needs {})", kernels::requirement_text(*what.algorithm));
  if (proof.in_full < proof.problems) {
    text += fmt::format(", {} by fingerprints of {} of {} {}", proof.problems - proof.in_full,
                        proof.least.count, proof.least.of,
                        moves_data(what.collective) ? "blocks" : "ranks");
  }
  if (proof.too_long > 0) {
    text += fmt::format(", {} skipped: schedules of more than {} steps in all", proof.too_long,
                        kMostSteps);
  }
  if (proof.in_full == 0) return text;
  if (reduces(what.collective)) text += proof.verdict.in_rank_order ? ", order-preserving" : "";
  if (what.collective == Collective::allreduce && proof.verdict.identical) {
    text += ", bitwise identical";
  }
  if (reduces(what.collective)) text += proof.verdict.fixed_tree ? ", fixed tree" : "";
  return text;
}

constexpr std::string_view kRandomised =
    R"(Beyond p = {} a proof is randomised: each rank contributes a random number to blocks that are
chosen at random, and sums are compared modulo 2^61 - 1. A wrong block among those followed passes
with a probability of 2^-61; the other blocks, order and bits aren't looked at. Deadlocks are.
)";

}  // namespace

int prove_schedules(const ScheduleOptions& options) {
  const auto procs = read<std::vector<int>>(options.procs.empty() ? "2..32" : options.procs);
  std::vector<Named> rows;
  for (const std::string& word : options.words) rows.push_back(named(word, options));
  if (options.words.empty()) rows = everything();

  Progress progress{rows.size() * procs.size(), "proven"};
  std::size_t problems = 0;
  std::size_t in_full = 0;
  for (const Named& what : rows) {
    const std::string params = what.params.text();
    const std::string name = fmt::format("{}/{}{}{}", kCollectives.of(what.collective),
                                         what.algorithm->name, params.empty() ? "" : ":", params);
    progress.begin_part(name);
    Proof proof;
    for (const int p : procs) {
      const std::vector<kernels::Problem> at_p = problems_at(what, options, p);
      for (const kernels::Problem& problem : at_p) proof.add(problem, *what.algorithm);
      proof.procs += at_p.empty() ? 0 : 1;
      progress.advance();
    }
    if (!options.words.empty() && proof.procs == 0) {
      throw UsageError(fmt::format("{} runs at none of these process counts: it needs {}", name,
                                   kernels::requirement_text(*what.algorithm)));
    }
    if (!options.words.empty() && proof.problems == 0) {
      throw UsageError(
          fmt::format("{} has schedules of more than {} steps in all at this p", name, kMostSteps));
    }
    progress.clear();
    fmt::print("{:<44} {}\n", name, result_text(what, proof, procs.size()));
    problems += proof.problems;
    in_full += proof.in_full;
  }
  progress.clear();
  fmt::print("{} algorithm{}, {} problems: every one right\n", rows.size(),
             rows.size() == 1 ? "" : "s", problems);
  if (in_full < problems) fmt::print(kRandomised, kMostInFull);
  return 0;
}

}  // namespace breakeven::cli
