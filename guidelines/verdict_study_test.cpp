// SPDX-License-Identifier: BSD-3-Clause
// How often a machine without violations is accused, and how often planted ones are found.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "guidelines/catalogue.hpp"
#include "guidelines/evaluate.hpp"
#include "guidelines/testing.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::guidelines {
namespace {

using testing::on_node;

constexpr std::array<std::int64_t, 3> kSizes{64, 1024, 16384};
constexpr int kLaunches = 20;
constexpr int kDecisive = 60;  // also where both sides differ by launch

/// Everything that the guidelines ask for, at two numbers of processes.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const int procs : {3, 4}) {
    for (const auto& collective : kCollectives.entries) {
      if (collective.value == Collective::barrier) continue;
      for (const std::int64_t bytes : kSizes) {
        std::vector<std::string> algorithms{std::string{kNative}, "mpich:one", "mpich:two"};
        for (const mock_ups::MockUp& each : mock_ups::catalogue()) {
          if (each.collective == collective.value) algorithms.emplace_back(each.name);
        }
        for (const std::string& each : algorithms) {
          cases.push_back(on_node(collective.value, each, bytes, procs));
        }
      }
    }
  }
  return cases;
}

/// The worst clean machine: what may take no longer takes as long.
double clean(const Case& /*what*/) { return 1e-6; }

class VerdictStudy : public ::testing::Test {
 protected:
  const std::vector<Case> cases = all_cases();
};

TEST_F(VerdictStudy, AccusesACleanMachineInFewerThanOneOfTwentyRuns) {
  constexpr int kTrials = 1000;
  int accused = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    testing::Machine machine{static_cast<std::uint64_t>(trial)};
    const Evaluation evaluation =
        evaluate(machine.measure(cases, kLaunches, clean), {.tolerance = 0});
    accused += count(evaluation, Verdict::violated) > 0 ? 1 : 0;
  }
  fmt::print("tolerance 0: {} of {} runs accuse a machine without violations\n", accused, kTrials);
  EXPECT_LE(accused, kTrials / 20);
}

/// One comparison of each guideline in turn, its left side slower than its right by a factor.
TEST_F(VerdictStudy, FindsPlantedViolations) {
  testing::Machine quiet{0};
  const Evaluation all = evaluate(quiet.measure(cases, 1, clean));
  std::map<const Guideline*, const Finding*> first;
  for (const Finding& each : all.findings) first.emplace(each.comparison.guideline, &each);
  ASSERT_GT(first.size(), 80U);
  for (const auto& [factor, least, most] :
       {std::tuple{1.01, 0.0, 0.05}, {1.05, 0.0, 0.05}, {1.2, 0.95, 1.0}, {2.0, 1.0, 1.0}}) {
    int trials = 0;
    int found = 0;
    for (const auto& [guideline, finding] : first) {
      const Comparison& planted = finding->comparison;
      const auto truth = [&](const Case& what) {
        // Of calls in parts the left side is the slow one; else the right side is the fast one.
        if (planted.factor > 1) {
          return clean(what) * (what == planted.left.what ? factor * planted.factor : 1);
        }
        return clean(what) / (what == planted.right.what ? factor : 1);
      };
      testing::Machine machine{static_cast<std::uint64_t>(++trials)};
      const Evaluation evaluation = evaluate(machine.measure(cases, kDecisive, truth));
      for (const Finding& each : evaluation.findings) {
        const bool it = each.comparison.guideline == guideline &&
                        each.comparison.left.what == planted.left.what &&
                        each.comparison.right.what == planted.right.what;
        found += it && each.verdict == Verdict::violated ? 1 : 0;
      }
    }
    fmt::print("violations by {}: {} of {} found\n", factor, found, trials);
    EXPECT_GE(found, least * trials) << factor;
    EXPECT_LE(found, most * trials) << factor;
  }
}

}  // namespace
}  // namespace breakeven::guidelines
