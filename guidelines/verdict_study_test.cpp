// SPDX-License-Identifier: BSD-3-Clause
// How often a machine without violations is accused, and how often planted ones are found.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <vector>

#include "guidelines/catalogue.hpp"
#include "guidelines/evaluate.hpp"
#include "guidelines/testing.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::guidelines {
namespace {

using testing::on_node;

constexpr std::array<std::int64_t, 3> kSizes{64, 1024, 16384};
constexpr int kFirstLook = stats::kLeastLaunches;
constexpr int kLastLook = 10;

/// Everything that the guidelines ask for, at two numbers of processes.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const int procs : {3, 4}) {
    for (const auto& collective : kCollectives.entries) {
      if (collective.value == Collective::barrier) continue;
      for (const std::int64_t bytes : kSizes) {
        std::vector<std::string> algorithms{std::string{kNative}, "mpich:one", "mpich:two"};
        for (const mock_ups::MockUp& each : mock_ups::catalogue()) {
          if (each.collective == collective.value) algorithms.push_back(to_text(each.variant()));
        }
        for (const std::string& each : algorithms) {
          cases.push_back(on_node(collective.value, each, bytes, procs));
        }
      }
    }
  }
  return cases;
}

/// All comparisons of a machine, before they are judged.
std::vector<Finding> compared(testing::Machine& machine, const std::vector<Case>& cases,
                              int launches, const std::function<double(const Case&)>& truth) {
  return evaluate(machine.measure(cases, launches, truth)).findings;
}

/// As after fewer launches.
void forget_last_launch(std::vector<Finding>& findings) {
  for (Finding& each : findings) {
    for (stats::CaseTimes* side : {&each.comparison.left, &each.comparison.right}) {
      side->by_launch.erase(std::prev(side->by_launch.end()));
    }
  }
}

/// Both sides take equally long: the worst machine without violations.
double clean(const Case& /*what*/) { return 1e-6; }

class VerdictStudy : public ::testing::TestWithParam<double> {
 protected:
  const std::vector<Case> cases = all_cases();
};

/// With a look after each launch.
TEST_P(VerdictStudy, AccusesACleanMachineInFewerThanOneOfTwentyRuns) {
  constexpr int kMachines = 400;
  const double tolerance = GetParam();
  const auto truth = [&](const Case& what) {
    return clean(what) * (what.variant.is<Native>() ? 1 + tolerance : 1);
  };
  int accused = 0;
  std::array<int, kLastLook + 1> at_look{};
  for (int trial = 0; trial < kMachines; ++trial) {
    testing::Machine machine{static_cast<std::uint64_t>(trial + (tolerance > 0 ? kMachines : 0))};
    std::vector<Finding> findings = compared(machine, cases, kLastLook, truth);
    bool ever = false;
    for (std::size_t launches = kLastLook; launches >= kFirstLook; --launches) {
      judge(findings, tolerance);
      const bool now = std::ranges::count(findings, Verdict::violated, &Finding::verdict) > 0;
      at_look[launches] += now ? 1 : 0;
      ever |= now;
      forget_last_launch(findings);
    }
    accused += ever ? 1 : 0;
  }
  fmt::print("tolerance {}: {} of {} clean machines are accused; after each launch {}\n", tolerance,
             accused, kMachines, at_look);
  EXPECT_LE(accused, kMachines / 20);
}

INSTANTIATE_TEST_SUITE_P(Tolerances, VerdictStudy, ::testing::Values(0.0, 0.05));

/// A comparison whose left side is slower than its right by a factor.
class PlantedStudy : public ::testing::Test {
 protected:
  /// Whether it is violated after so many launches, or after fewer.
  [[nodiscard]] bool finds(const Comparison& planted, double factor, int launches,
                           std::uint64_t seed) const {
    const auto truth = [&](const Case& what) {
      // Of calls in parts the left side is the slow one; else the right side is the fast one.
      if (planted.factor > 1) {
        return clean(what) * (what == planted.left.what ? factor * planted.factor : 1);
      }
      return clean(what) / (what == planted.right.what ? factor : 1);
    };
    testing::Machine machine{seed};
    std::vector<Finding> findings = compared(machine, cases, launches, truth);
    for (; launches >= kFirstLook; --launches) {
      judge(findings, EvaluateOptions{}.tolerance);
      for (const Finding& each : findings) {
        if (each.verdict == Verdict::violated && of(each.comparison) == of(planted)) return true;
      }
      forget_last_launch(findings);
    }
    return false;
  }

  const std::vector<Case> cases = all_cases();

 private:
  static std::tuple<const Guideline*, Case, Case> of(const Comparison& comparison) {
    return {comparison.guideline, comparison.left.what, comparison.right.what};
  }
};

/// One comparison of each guideline in turn, on three machines.
TEST_F(PlantedStudy, FindsPlantedViolations) {
  testing::Machine quiet{0};
  const std::vector<Finding> all = compared(quiet, cases, 1, clean);
  std::map<const Guideline*, const Comparison*> first;
  for (const Finding& each : all) first.emplace(each.comparison.guideline, &each.comparison);
  ASSERT_GT(first.size(), 80U);
  struct Expected {
    double factor;
    int launches;
    bool same_launches;  // measured both sides
    double least, most;
  };
  for (const auto& [factor, launches, same_launches, least, most] :
       {Expected{1.05, 8, true, 0, 0.05}, Expected{1.2, 8, true, 0.8, 1},
        Expected{2, 3, true, 0.95, 1}, Expected{2, 20, false, 0.8, 1}}) {
    int trials = 0;
    int found = 0;
    for (const auto& [guideline, planted] : first) {
      if ((planted->left.what.procs == planted->right.what.procs) != same_launches) continue;
      for (int machine = 0; machine < 3; ++machine) {
        found += finds(*planted, factor, launches, static_cast<std::uint64_t>(++trials)) ? 1 : 0;
      }
    }
    fmt::print("violations by {} in {} launches, which {}: {} of {} found\n", factor, launches,
               same_launches ? "measured both sides" : "measured one side each", found, trials);
    EXPECT_GE(found, least * trials) << factor;
    EXPECT_LE(found, most * trials) << factor;
  }
}

}  // namespace
}  // namespace breakeven::guidelines
