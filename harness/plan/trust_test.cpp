// SPDX-License-Identifier: BSD-3-Clause
// Studies on model machines, whose truth is known: do the intervals hold what they promise?
#include <gtest/gtest.h>

#include "harness/plan/model_machine.hpp"
#include "stats/autocorrelation.hpp"
#include "stats/case_times.hpp"

namespace breakeven::plan {
namespace {

constexpr std::string_view kPostal = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10";

/// An allreduce among 8, by an algorithm.
Case allreduce(std::string_view algorithm, std::int64_t bytes) {
  return {.collective = Collective::allreduce,
          .variant = Variant::of(algorithm),
          .procs = 8,
          .procs_per_node = 8,
          .message = {bytes},
          .datatype = Datatype::double_,
          .op = Op::sum};
}

ModelMachine machine(const std::string& noise, int seed) {
  return ModelMachine{parse_model(std::string{kPostal} + noise + ",seed=" + std::to_string(seed))};
}

/// The case's median in each launch.
stats::CaseTimes times_of(ModelMachine& machine, const Case& what, int launches) {
  stats::CaseTimes times{.what = what};
  for (int repeat = 0; repeat < launches; ++repeat) {
    const protocol::MeasureRequest request{.seed = static_cast<std::uint64_t>(repeat),
                                           .measure = {.repetitions = 200},
                                           .cases = {what}};
    for (const protocol::CaseDone& done : machine.measure(request, repeat)) {
      std::vector<double> samples;
      for (const Seconds sample : done.result.local) samples.push_back(sample.value);
      times.by_launch[repeat] = Seconds{stats::estimate_median_of_series(samples).median};
    }
  }
  return times;
}

class Intervals : public ::testing::TestWithParam<std::string> {};

TEST_P(Intervals, CoverTheTruthAsOftenAsTheySay) {
  constexpr int kTrials = 1000;
  constexpr int kLaunches = 8;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    ModelMachine noisy = machine(GetParam(), trial);
    const Case what = allreduce("ring", 1024);
    const stats::Estimate found = stats::estimate(times_of(noisy, what, kLaunches));
    const double truth = noisy.exact_time(what)->value;
    covered += found.low <= truth && truth <= found.high ? 1 : 0;
  }
  RecordProperty("covered", covered);
  EXPECT_GE(covered, 930);
  EXPECT_LE(covered, 970);
}

INSTANTIATE_TEST_SUITE_P(
    Noises, Intervals,
    ::testing::Values(",noise=0.1", ",noise=0.1,launch_noise=0.05",
                      ",noise=0.05,spike_rate=0.05,spike_factor=10", ",noise=0.05,drift=0.1",
                      ",noise=0.1,autocorrelation=0.8",
                      ",noise=0.1,spike_rate=0.02,spike_factor=5,drift=0.05,autocorrelation=0.5,"
                      "launch_noise=0.02"));

}  // namespace
}  // namespace breakeven::plan
