// SPDX-License-Identifier: BSD-3-Clause
#include "report/cells.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tables/testing.hpp"

namespace breakeven::report {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using tables::testing::allreduce;

TEST(Cells, SayWhatIsChosenAndHowItComparesWithNative) {
  const std::vector<Measurement> all =
      join({launches(allreduce("native", 4, 8), {4, 4, 4, 4}),
            launches(allreduce("ring", 4, 8), {2, 2, 2}),
            launches(allreduce("reduce_bcast", 4, 16), {1, 1, 1})});
  const auto json = nlohmann::json::parse(cells_json({.name = "mpich"}, tuner::decide(all)));
  EXPECT_EQ(json["machine"]["name"], "mpich");
  ASSERT_EQ(json["cells"].size(), 2U);
  const auto& ring = json["cells"][0];
  EXPECT_EQ(ring["algorithm"], "ring");
  EXPECT_EQ(ring["certainty"], "decided");
  EXPECT_EQ(ring["measured"], (std::vector{"native", "ring"}));
  EXPECT_EQ(ring["least_launches"], 3);
  EXPECT_EQ(ring["most_launches"], 4);
  EXPECT_NEAR(ring["best_ratio"]["ratio"], 2, 1e-6);
  const auto& alone = json["cells"][1];
  EXPECT_EQ(alone["message_bytes"], 16);
  EXPECT_EQ(alone["certainty"], "undecided");
  EXPECT_TRUE(alone["best_ratio"].is_null());
}

}  // namespace
}  // namespace breakeven::report
