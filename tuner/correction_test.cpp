// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/correction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tables/testing.hpp"

namespace breakeven::tuner {
namespace {

using tables::testing::allreduce;

class CorrectionTest : public ::testing::Test {
 protected:
  void predict(const std::string& algorithm, int procs, std::int64_t bytes, double seconds) {
    predictions[allreduce(algorithm, procs, bytes)] = {.time = {seconds}};
  }
  void measure(const std::string& algorithm, int procs, std::int64_t bytes, double seconds) {
    for (int launch = 0; launch < 3; ++launch) {
      measurements.push_back({.what = allreduce(algorithm, procs, bytes),
                              .launch = launch,
                              .repeat = launch,
                              .samples = 9,
                              .median = {seconds}});
    }
  }
  Correction correction() const { return {predictions, contests_of(measurements)}; }

  Predictions predictions{};
  std::vector<Measurement> measurements{};
};

TEST_F(CorrectionTest, IsNothingWithoutMeasurements) {
  predict("ring", 4, 8, 2e-6);
  EXPECT_NEAR(correction().log_time(allreduce("ring", 4, 8)).value(), std::log(2e-6), 1e-12);
  EXPECT_FALSE(correction().log_time(allreduce("native", 4, 8)));
  EXPECT_EQ(correction().spread(without_algorithm(allreduce("ring", 4, 8))),
            Correction::kUsualSpread);
}

TEST_F(CorrectionTest, LearnsWhatAnAlgorithmTakesBeyondAllOthers) {
  // Everything takes twice as long as predicted, ring three times.
  for (const std::int64_t bytes : {8, 64, 512, 4096}) {
    for (const std::string name : {"ring", "circulant", "halving_doubling", "recursive_doubling"}) {
      predict(name, 4, bytes, 1e-6);
      if (name == "ring" && bytes == 64) continue;
      measure(name, 4, bytes, name == "ring" ? 3e-6 : 2e-6);
    }
  }
  const Correction found = correction();
  const double ring = std::exp(found.log_time(allreduce("ring", 4, 64)).value());
  EXPECT_GT(ring, 2.7e-6);  // drawn towards no correction a little
  EXPECT_LT(ring, 3e-6);
  EXPECT_NEAR(std::exp(found.log_time(allreduce("circulant", 4, 64)).value()), 2e-6, 1e-8);
}

TEST_F(CorrectionTest, ErrorsOfCandidatesThatAreFasterThanPredictedWidenTheSpread) {
  const Case problem = without_algorithm(allreduce("ring", 4, 8));
  for (const std::string name : {"ring", "circulant", "halving_doubling", "recursive_doubling"}) {
    predict(name, 4, 8, 1e-6);
    measure(name, 4, 8, name == "ring" ? 4e-6 : 1e-6);
  }
  EXPECT_LT(correction().spread(problem), Correction::kUsualSpread);  // all is right but one slow
  measurements.clear();
  for (const std::string name : {"ring", "circulant", "halving_doubling", "recursive_doubling"})
    measure(name, 4, 8, name == "ring" ? 0.25e-6 : 1e-6);
  EXPECT_GT(correction().spread(problem), 2 * Correction::kUsualSpread);
}

}  // namespace
}  // namespace breakeven::tuner
