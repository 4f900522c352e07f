// SPDX-License-Identifier: BSD-3-Clause
#include "cli/sweep_result.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace breakeven::cli {
namespace {

/// Native takes 2 us in each launch, ring 1 us.
class SweepResultTest : public ::testing::Test {
 protected:
  void measure(Collective collective, std::int64_t bytes, int launches, int procs = 2,
               bool oversubscribed = false) {
    for (int launch = 0; launch < launches; ++launch) {
      for (const char* algorithm : {"native", "ring"}) {
        measurements.push_back({.what = {.collective = collective,
                                         .variant = Variant::of(algorithm),
                                         .procs = procs,
                                         .procs_per_node = procs,
                                         .message = {bytes},
                                         .datatype = Datatype::double_},
                                .launch = 100 * procs + launch,
                                .repeat = launch,
                                .samples = 10,
                                .median = {std::string{algorithm} == "ring" ? 1e-6 : 2e-6},
                                .oversubscribed = oversubscribed});
      }
    }
  }
  [[nodiscard]] std::string text() const { return result_text(sweep, measurements); }
  [[nodiscard]] bool has(const std::string& words) const {
    return text().find(words) != std::string::npos;
  }

  plan::Sweep sweep{.collectives = {Collective::allreduce, Collective::bcast},
                    .procs = {2, 3, 4, 5, 6, 7, 8}};
  std::vector<Measurement> measurements{};
};

TEST_F(SweepResultTest, IsATableOfEachSize) {
  measure(Collective::allreduce, 8, 3);
  measure(Collective::allreduce, 1024, 1);
  EXPECT_TRUE(has("allreduce, p = 2\n  message  native  fastest  speedup")) << text();
  EXPECT_TRUE(has("      8 B    2 us     1 us     2.00   2.00 to 2.00  ring\n")) << text();
  EXPECT_TRUE(has("(launches with native: 1)")) << text();
  EXPECT_FALSE(has("more processes than cores")) << text();
}

TEST_F(SweepResultTest, IsALineForEachTableWhereTablesAreLong) {
  for (std::int64_t bytes = 8; bytes <= 1 << 20; bytes *= 2) {
    measure(Collective::allreduce, bytes, bytes < 1024 ? 3 : 1);
    measure(Collective::bcast, bytes, 3);
  }
  EXPECT_TRUE(has("allreduce, p = 2     18       7                11")) << text();
  EXPECT_TRUE(has("bcast, p = 2         18      18                 0          2.00")) << text();
  EXPECT_LT(std::ranges::count(text(), '\n'), 30);
}

TEST_F(SweepResultTest, IsShort) {
  sweep.procs.clear();
  for (int procs = 2; procs <= 40; ++procs) {
    sweep.procs.push_back(procs);
    measure(Collective::allreduce, 8, 3, procs);
  }
  EXPECT_TRUE(has("and 13 more\n")) << text();
  EXPECT_LE(std::ranges::count(text(), '\n'), 30);
}

TEST_F(SweepResultTest, HasProblemsWithMoreProcessesThanCoresApart) {
  measure(Collective::allreduce, 8, 3);
  measure(Collective::allreduce, 8, 3, 3, true);
  const std::size_t apart = text().find("With more processes than cores");
  ASSERT_NE(apart, std::string::npos);
  EXPECT_LT(text().find("p = 2"), apart);
  EXPECT_GT(text().find("p = 3"), apart);
}

TEST_F(SweepResultTest, IsOfTheSweepAlone) {
  measure(Collective::reduce, 8, 3);
  measure(Collective::allreduce, 8, 3, 9);
  EXPECT_EQ(text(), "");
}

}  // namespace
}  // namespace breakeven::cli
