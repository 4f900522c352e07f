// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/agreement.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tables/testing.hpp"

namespace breakeven::tuner {
namespace {

using tables::testing::allreduce;

/// Three algorithms at two sizes and three p, whose measured times are predicted but for factors.
class AgreementTest : public ::testing::Test {
 protected:
  /// @param factor  measured / predicted
  template <typename Factor>
  Agreements with(const Factor& factor, int cores = 8) {
    Predictions predictions;
    std::vector<Measurement> measurements;
    for (const int procs : {2, 4, 8}) {
      for (const std::int64_t bytes : {8, 65536}) {
        for (const auto& [name, base] :
             std::map<std::string, double>{{"ring", 4e-6}, {"circulant", 3e-6}, {"bruck", 2e-6}}) {
          const Case what = allreduce(name, procs, bytes);
          const double time = base * procs * (bytes == 8 ? 1 : 10);
          predictions[what] = {.time = {time}};
          for (int launch = 0; launch < 3; ++launch) {
            measurements.push_back({.what = what,
                                    .launch = launch,
                                    .repeat = launch,
                                    .samples = 9,
                                    .median = {time * factor(what)},
                                    .oversubscribed = procs > cores});
          }
        }
      }
    }
    return agreements(predictions, contests_of(measurements));
  }
};

TEST_F(AgreementTest, IsPerfectWhereAllTakesTwiceAsLong) {
  const Agreements found = with([](const Case&) { return 2.0; });
  ASSERT_EQ(found.lines.size(), 4U);  // p = 2, 4, 8, and all
  EXPECT_EQ(found.cases.size(), 18U);
  EXPECT_FALSE(found.lines.back().procs);
  for (const Agreement& line : found.lines) {
    EXPECT_NEAR(line.low, 1, 1e-9);
    EXPECT_NEAR(line.high, 1, 1e-9);
    EXPECT_NEAR(line.correlation.value(), 1, 1e-9);
    EXPECT_NEAR(line.rank_correlation.value(), 1, 1e-9);
    EXPECT_EQ(line.choices.near_best, line.choices.problems);
    EXPECT_NEAR(line.choices.worst_regret, 0, 1e-9);
  }
}

TEST_F(AgreementTest, TellsNoModelThatItIsWrongWhereProcessesTakeTurns) {
  const auto factor = [](const Case& what) { return what.procs == 8 ? 50.0 : 2.0; };
  EXPECT_GT(with(factor).lines.back().high, 40);
  const Agreements found = with(factor, 4);
  EXPECT_NEAR(found.lines.back().high, 1, 1e-9);
  EXPECT_NEAR(found.lines.at(2).median, 49, 1e-9);  // at p = 8, by itself
}

TEST_F(AgreementTest, AnAlgorithmThatIsSlowerThanPredictedIsFoundAtOtherP) {
  const Agreements found =
      with([](const Case& what) { return what.variant.algorithm() == "bruck" ? 3.0 : 1.0; });
  for (const Agreement& line : found.lines) {
    EXPECT_EQ(line.choices.near_best, 0U);
    EXPECT_NEAR(line.choices.mean_regret, 1, 0.01);  // 6 us instead of circulant's 3
    ASSERT_TRUE(line.held_out);
    EXPECT_EQ(line.held_out->near_best, line.held_out->problems);
    EXPECT_LT(line.rank_correlation.value(), 0);  // 2, 3, 4 as predicted, 6, 3, 4 as measured
  }
}

TEST_F(AgreementTest, IsWrittenAsTextAndJson) {
  const Agreements found = with([](const Case&) { return 2.0; });
  EXPECT_NE(agreement_text(found).find("100, 100, 100      -   1.00   1.00"), std::string::npos)
      << agreement_text(found);
  const auto json =
      nlohmann::json::parse(agreement_json(found, {.name = "mpich"}, "postal:alpha=1"));
  EXPECT_EQ(json.at("format"), "breakeven-agreement-1");
  EXPECT_EQ(json.at("cases").size(), 18U);
  EXPECT_TRUE(json.at("agreements").back().at("procs").is_null());
}

}  // namespace
}  // namespace breakeven::tuner
