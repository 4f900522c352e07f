// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/print.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::kernels {
namespace {

std::vector<Schedule> ring_of(int procs) {
  return world_of(find_algorithm(Collective::allreduce, "ring"),
                  {.collective = Collective::allreduce, .procs = procs});
}

Title title_of_ring(int procs) {
  return {.problem = {.collective = Collective::allreduce, .procs = procs}, .algorithm = "ring"};
}

TEST(Print, AMessageOfSeveralRunsIsALine) {
  const Problem problem{.collective = Collective::allgather, .procs = 8};
  const Title title{.problem = problem, .algorithm = "bine"};
  const std::vector<Schedule> world = world_of(find_algorithm(problem.collective, "bine"), problem);
  EXPECT_NE(to_text(title, world).find("send to 7    output 0, output 3\n"), std::string::npos);
  const auto json = nlohmann::json::parse(to_json(title, world));
  const auto& comm = json["ranks"][0]["rounds"][2]["comm"];
  EXPECT_EQ(comm[0]["send"]["more"], true);
  EXPECT_FALSE(comm[1]["send"].contains("more"));
}

TEST(Print, JsonFollowsTheContract) {
  const auto json = nlohmann::json::parse(to_json(title_of_ring(3), ring_of(3)));
  EXPECT_EQ(json["format"], "breakeven-schedule-1");
  EXPECT_EQ(json["collective"], "allreduce");
  EXPECT_EQ(json["algorithm"], "ring");
  EXPECT_EQ(json["params"], nlohmann::json::object());
  EXPECT_EQ(json["procs"], 3);
  EXPECT_TRUE(json["root"].is_null());
  EXPECT_EQ(json["blocks"], 3);
  ASSERT_EQ(json["ranks"].size(), 3);
  EXPECT_EQ(json["ranks"][1]["rank"], 1);
  EXPECT_EQ(json["ranks"][1]["rounds"][0], nlohmann::json::parse(R"({
    "comm":  [{"send": {"to": 2, "from": ["input", 1], "count": 1}},
              {"recv": {"source": 0, "into": ["scratch", 0], "count": 1}}],
    "local": [{"reduce": {"a": ["scratch", 0], "b": ["input", 0], "into": ["output", 0],
                          "count": 1}}]})"));
}

TEST(Print, JsonNamesTheRootOfARootedCollectiveAndTheParameters) {
  const auto& algorithm = find_algorithm(Collective::reduce, "binomial");
  const Problem problem{.collective = Collective::reduce,
                        .procs = 4,
                        .root = Rank{2},
                        .params = Params::parse("segments=3,reorder_ranks=2,0,1,3")};
  const auto json = nlohmann::json::parse(
      to_json({.problem = problem, .algorithm = "binomial"}, world_of(algorithm, problem)));
  EXPECT_EQ(json["root"], 2);
  EXPECT_EQ(json["params"],
            nlohmann::json::parse(R"({"reorder_ranks": "2,0,1,3", "segments": "3"})"));
}

TEST(Print, JsonLeavesOutWhatARoundDoesNotHave) {
  const auto json = nlohmann::json::parse(to_json(title_of_ring(1), ring_of(1)));
  EXPECT_EQ(json["ranks"][0]["rounds"][0], nlohmann::json::parse(R"({
    "local": [{"copy": {"from": ["input", 0], "into": ["output", 0], "count": 1}}]})"));
}

TEST(Print, TextNamesEveryStepOfEveryRank) {
  EXPECT_EQ(to_text(title_of_ring(2), ring_of(2)),
            "allreduce/ring, p = 2, blocks = 2\n"
            "rank 0\n"
            "  round 0   send to 1    input 0\n"
            "            recv from 1  scratch 0\n"
            "            reduce       scratch 0 op input 1 -> output 1\n"
            "  round 1   send to 1    output 1\n"
            "            recv from 1  output 0\n"
            "rank 1\n"
            "  round 0   send to 0    input 1\n"
            "            recv from 0  scratch 0\n"
            "            reduce       scratch 0 op input 0 -> output 0\n"
            "  round 1   send to 0    output 0\n"
            "            recv from 0  output 1\n");
}

std::size_t occurrences(const std::string& text, const std::string& of) {
  std::size_t count = 0;
  for (auto at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) ++count;
  return count;
}

TEST(Print, SvgHasAnArrowForEachMessageAndADotForEachReduction) {
  const std::string svg = to_svg(title_of_ring(3), ring_of(3));
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(occurrences(svg, "<path "), 3 * 4);
  EXPECT_EQ(occurrences(svg, "<circle "), 3 * 2);
  EXPECT_EQ(occurrences(svg, ">step "), 4);
  EXPECT_NE(svg.find("<title>0 → 1: blocks 0</title>"), std::string::npos);
}

TEST(Print, ACircleHasAnArrowForEachPairAndMarksTheNetwork) {
  Title title = title_of_ring(6);
  title.problem.placement = {.procs_per_node = 3, .mapping = Mapping::rr};
  const std::string rr = to_circle_svg(title, ring_of(6));
  EXPECT_TRUE(rr.starts_with("<svg "));
  EXPECT_EQ(occurrences(rr, "<path "), 6);
  EXPECT_EQ(occurrences(rr, "stroke-width=\"3\""), 6);  // all leave their nodes
  title.problem.placement.mapping = Mapping::seq;
  EXPECT_EQ(occurrences(to_circle_svg(title, ring_of(6)), "stroke-width=\"3\""), 2);
}

}  // namespace
}  // namespace breakeven::kernels
