// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "report/plots.hpp"
#include "tables/testing.hpp"

namespace breakeven::report {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using nlohmann::json;
using tables::testing::allreduce;

Case on_nodes(Case what, int nodes, const Mapping& mapping) {
  what.nodes = nodes;
  what.procs_per_node = what.procs / nodes;
  what.mapping = mapping;
  return what;
}

json panels(const std::vector<Measurement>& all, const CurveRequest& request) {
  return json::parse(curves_json({.name = "mpich"}, all, request))["panels"];
}

TEST(Curves, ShowTimesAndBandwidthBySize) {
  const auto all = join({launches(allreduce("ring", 4, 8), {2, 4, 3}),
                         launches(allreduce("native", 4, 8), {4, 8, 6}),
                         launches(allreduce("ring", 4, 16), {4, 4, 4}),
                         launches(allreduce("ring", 8, 8), {1, 1, 1})});
  const json times = panels(all, {});
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0]["title"], "allreduce, p = 4");
  EXPECT_EQ(times[0]["axis"], "message: whole vector");
  const json& line = times[0]["lines"][1]["points"];
  ASSERT_EQ(line.size(), 2U);
  EXPECT_EQ(line[0]["at"], 8);
  EXPECT_NEAR(line[0]["value"], 3e-6, 1e-10);
  EXPECT_NEAR(line[0]["low"], 2e-6, 1e-10);  // the range of three launches
  const json bandwidths = panels(all, {.by = Axis::procs, .quantity = Quantity::bandwidth});
  ASSERT_EQ(bandwidths.size(), 2U);  // of two sizes
  EXPECT_EQ(bandwidths[0]["lines"][1]["points"][1]["at"], 8);
  EXPECT_NEAR(bandwidths[0]["lines"][1]["points"][1]["value"], 8 / 1e-6, 10);
}

TEST(Curves, OfDifferentLaunchesCompare) {
  // The first launch is twice as fast, and the only one that measured halving_doubling.
  const auto all = join({launches(allreduce("native", 4, 8), {5, 10, 10, 10}),
                         launches(allreduce("ring", 4, 8), {4, 8, 8, 8}),
                         launches(allreduce("halving_doubling", 4, 8), {7})});
  const auto values = [&](Quantity quantity) {
    const json drawn = panels(all, {.quantity = quantity});
    std::map<std::string, double> found;
    for (const json& line : drawn[0]["lines"]) found[line["name"]] = line["points"][0]["value"];
    return found;
  };
  auto times = values(Quantity::time);
  EXPECT_NEAR(times["library's default"], 10e-6, 1e-8);
  EXPECT_NEAR(times["halving doubling"], 14e-6, 1e-8);
  EXPECT_NEAR(values(Quantity::speedup)["halving doubling"], 10.0 / 14, 1e-3);
  EXPECT_NEAR(values(Quantity::relative_time)["ring"], 0.8, 1e-3);
}

TEST(Curves, DivideByTheSameRepeatOfAnotherMapping) {
  const auto times = [](const Mapping& mapping, int procs, std::int64_t bytes,
                        std::initializer_list<double> microseconds) {
    return launches(on_nodes(allreduce("ring", procs, bytes), 2, mapping), microseconds);
  };
  // rr takes 2 and 8 times as long at Q = 2, whose geometric mean is 4; 1 KiB is missing at Q = 1.
  const auto all = join({times(Mapping::seq, 4, 8, {1, 2}), times(Mapping::rr, 4, 8, {2, 4}),
                         times(Mapping::seq, 4, 16, {1, 1}), times(Mapping::rr, 4, 16, {8, 8}),
                         times(Mapping::seq, 4, 1024, {1}), times(Mapping::rr, 4, 1024, {100}),
                         times(Mapping::seq, 2, 8, {1}), times(Mapping::seq, 2, 16, {1})});
  const json found = panels(all, {.by = Axis::procs_per_node,
                                  .quantity = Quantity::relative_time,
                                  .baseline = "ring",
                                  .baseline_mapping = Mapping::seq});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]["most_bytes"], 16);
  const json& rr = found[0]["lines"][1];
  EXPECT_EQ(rr["name"], "ring rr");
  EXPECT_EQ(found[0]["title"], "allreduce, 2 nodes");
  EXPECT_NEAR(rr["points"][0]["value"], 4, 1e-9);
  EXPECT_EQ(rr["points"][0]["launches"], 2);
}

TEST(Curves, OfSeveralCollectivesMeetAtEqualVectors) {
  Case block = allreduce("circulant", 4, 8);
  block.collective = Collective::reduce_scatter_block;
  const auto all = join({launches(allreduce("circulant", 4, 32), {10}), launches(block, {5})});
  const json found =
      panels(all, {.quantity = Quantity::relative_time, .baseline = "allreduce/circulant"});
  ASSERT_EQ(found.size(), 1U);
  const json& scattered = found[0]["lines"][1];
  EXPECT_EQ(scattered["name"], "reduce_scatter_block circulant");
  EXPECT_EQ(scattered["points"][0]["at"], 32);
  EXPECT_NEAR(scattered["points"][0]["value"], 0.5, 1e-9);
  const std::string whole = curves_json(
      {}, all, {.quantity = Quantity::relative_time, .baseline = "allreduce/circulant"});
  EXPECT_EQ(json::parse(whole)["title"], "Time / time of allreduce circulant: above 1 slower");
  EXPECT_THROW(panels(all, {.quantity = Quantity::relative_time, .baseline = "ring"}), UsageError);
}

TEST(Curves, MayBeRelativeToAMockUp) {
  const auto all = join({launches(allreduce("native:reduce+bcast", 4, 32), {10}),
                         launches(allreduce("native", 4, 32), {5})});
  const std::string found = curves_json(
      {}, all, {.quantity = Quantity::relative_time, .baseline = "native:allreduce/reduce+bcast"});
  EXPECT_EQ(json::parse(found)["title"],
            "Time / time of allreduce as reduce+bcast: above 1 slower");
}

TEST(Curves, TitlesTellDatatypesAndRootsApartWhereTheyDiffer) {
  Case real = allreduce("ring", 4, 8);
  real.datatype = Datatype::double_;
  Case bcast = real;
  bcast.collective = Collective::bcast;
  bcast.op = Op::none;
  Case from_3 = bcast;
  from_3.root = Rank{3};
  std::set<std::string> titles;
  for (const json& each : panels(join({launches(allreduce("ring", 4, 8), {1}), launches(real, {1}),
                                       launches(bcast, {1}), launches(from_3, {1})}),
                                 {})) {
    titles.insert(each["title"]);
  }
  EXPECT_EQ(titles, (std::set<std::string>{
                        "allreduce, int, p = 4, 8 B", "allreduce, double, p = 4, 8 B",
                        "bcast, double, root 0, p = 4, 8 B", "bcast, double, root 3, p = 4, 8 B"}));
}

TEST(Spread, HasABoxForEachLayout) {
  const std::vector<LaunchSamples> all{{on_nodes(allreduce("ring", 2, 8), 1, Mapping::seq), {1}},
                                       {on_nodes(allreduce("ring", 4, 8), 1, Mapping::seq), {1}},
                                       {on_nodes(allreduce("ring", 4, 8), 2, Mapping::seq), {9}}};
  const json drawn = json::parse(spread_json({}, all, {}))["panels"];
  ASSERT_EQ(drawn.size(), 1U);
  EXPECT_EQ(drawn[0]["places"], json({"2", "4 (1×4)", "4 (2×2)"}));
  EXPECT_EQ(drawn[0]["boxes"][2]["at"], "4 (2×2)");
  EXPECT_EQ(drawn[0]["boxes"][2]["median"], 9);
}

TEST(Spread, HasQuartilesAndWhatLiesBeyondTheWhiskers) {
  const std::vector<LaunchSamples> all{{allreduce("ring", 4, 8), {1, 2, 3, 4, 5, 100}}};
  const json box = json::parse(spread_json({}, all, {}))["panels"][0]["boxes"][0];
  EXPECT_EQ(box["at"], "4");
  EXPECT_EQ(box["name"], "ring");
  EXPECT_DOUBLE_EQ(box["quartile_low"], 2.25);
  EXPECT_DOUBLE_EQ(box["median"], 3.5);
  EXPECT_DOUBLE_EQ(box["quartile_high"], 4.75);
  EXPECT_DOUBLE_EQ(box["whisker_high"], 5);
  EXPECT_EQ(box["above"], json::parse("[100.0]"));
  const std::vector<int> blocks{1, 4};
  const json means = json::parse(spread_json({}, all, blocks))["panels"][0]["boxes"];
  EXPECT_EQ(means[1]["at"], "4");
  EXPECT_DOUBLE_EQ(means[1]["median"], 2.5);  // of the first four; two samples are no block
}

}  // namespace
}  // namespace breakeven::report
