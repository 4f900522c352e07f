// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "report/parts.hpp"
#include "report/plots.hpp"
#include "report/sheet.hpp"
#include "report/words.hpp"
#include "tables/testing.hpp"

namespace breakeven::report {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using nlohmann::json;
using tables::testing::allreduce;

const Machine kMachine{.name = "mpich"};

std::vector<tuner::Decision> some_decisions() {
  return tuner::decide(join({launches(allreduce("native", 4, 8), {4, 4, 4, 4}),
                             launches(allreduce("ring", 4, 8), {2, 2, 2}),
                             launches(allreduce("bruck", 4, 8), {9, 9, 9}),
                             launches(allreduce("reduce_bcast", 4, 16), {1, 1, 1})}));
}

TEST(Maps, SayWhatATableChooses) {
  const json map = json::parse(fastest_map_json(kMachine, some_decisions()));
  EXPECT_EQ(map["machine"]["name"], "mpich");
  EXPECT_EQ(map["launches"], "3 to 4 launches");
  const json& panel = map["panels"][0];
  EXPECT_EQ(panel["title"], "allreduce  (int, sum)");
  EXPECT_EQ(panel["axis"], "message, bytes: whole vector");
  EXPECT_EQ(panel["rows"], json({"4"}));
  EXPECT_EQ(panel["sizes"], json({"8", "16"}));
  const json& ring = panel["cells"][0][0];
  EXPECT_EQ(map["key"][ring["look"].get<std::size_t>()]["name"], "ring");
  EXPECT_EQ(ring["text"], "Ri");
  EXPECT_EQ(ring["light"], false);
  EXPECT_EQ(panel["cells"][0][1]["light"], true);  // alone
  EXPECT_EQ(panel["cells"][0][1]["hatched"], true);
  EXPECT_EQ(map["key"].back()["name"], "undecided");
  const std::string notes = map["notes"].dump();
  EXPECT_NE(notes.find("Measured, but chosen nowhere: bruck, library's default."), notes.npos);
}

TEST(Maps, MarkWhatIsNotLikeTheRest) {
  Case reordered = allreduce("ring", 4, 16);
  reordered.variant = Ours{"ring", "reorder_ranks=seq"};
  std::vector<Measurement> turns = launches(allreduce("native", 6, 8), {4, 4, 4});
  for (Measurement& each : turns) each.oversubscribed = true;
  const json map = json::parse(
      fastest_map_json(kMachine, tuner::decide(join({launches(allreduce("native", 4, 8), {4, 4, 4}),
                                                     launches(reordered, {2, 2, 2}), turns}))));
  const json& panel = map["panels"][0];
  EXPECT_EQ(panel["rows"], json({"4", "6*"}));
  EXPECT_EQ(panel["apart"], 1);
  EXPECT_EQ(panel["cells"][0][0]["text"], "");  // calm: the default stays
  EXPECT_EQ(panel["cells"][0][1]["text"], "Ri′");
  EXPECT_TRUE(panel["cells"][1][1].is_null());
  EXPECT_EQ(map["key"].back()["name"], "not measured");
}

TEST(Maps, CompareTheBestWithABaseline) {
  const json map = json::parse(ratio_map_json(kMachine, some_decisions(), kNative));
  const json& cells = map["panels"][0]["cells"][0];
  EXPECT_EQ(cells[0]["text"], "2.0");
  EXPECT_EQ(map["key"][cells[0]["look"].get<std::size_t>()]["name"], "2 to 3");
  EXPECT_EQ(cells[0]["light"], false);
  EXPECT_TRUE(cells[1].is_null());
  EXPECT_EQ(json::parse(ratio_map_json(kMachine, some_decisions(), "bruck"))["title"],
            "Speedup of the best algorithm over bruck");
  EXPECT_THROW(static_cast<void>(ratio_map_json(kMachine, some_decisions(), "binomial")),
               UsageError);
}

TEST(Maps, PutEqualRatiosIntoTheCalmClass) {
  const auto alike = tuner::decide(join({launches(allreduce("native", 4, 8), {4, 5, 3}),
                                         launches(allreduce("ring", 4, 8), {4, 3, 5})}));
  const json map = json::parse(ratio_map_json(kMachine, alike, kNative));
  ASSERT_EQ(map["key"].size(), 1U);
  EXPECT_EQ(map["key"][0]["name"], "0.9 to 1.1");
  EXPECT_EQ(map["panels"][0]["cells"][0][0]["light"], true);
}

TEST(Maps, ClassesOfRatiosHaveTheirLowerBound) {
  for (const auto& [ratio, text] : std::vector<std::pair<double, std::string>>{{0.69, "below 0.7"},
                                                                               {0.7, "0.7 to 0.9"},
                                                                               {1, "0.9 to 1.1"},
                                                                               {1.1, "1.1 to 1.5"},
                                                                               {99, "50 to 100"},
                                                                               {100, "from 100"}}) {
    EXPECT_EQ(ratio_class_text(ratio_class(ratio)), text);
  }
}

TEST(Maps, OfAProgramSumItsTimes) {
  std::vector<tuner::Decision> decisions = some_decisions();
  decisions[0].program_time = {4};
  const json program =
      json::parse(program_json(kMachine, decisions, {.procs = 4, .wall_s = 10, .uses = {}}));
  ASSERT_EQ(program["bars"].size(), 1U);
  const json& bar = program["bars"][0];
  EXPECT_EQ(bar["before_s"], 4);
  EXPECT_NEAR(bar["after_s"].get<double>(), 4 / decisions[0].speedup->ratio, 1e-9);
  EXPECT_NEAR(bar["low_s"].get<double>(), 4 / decisions[0].speedup->high, 1e-9);
  EXPECT_THROW(static_cast<void>(program_json(kMachine, some_decisions(), {})), UsageError);
}

TEST(Maps, OfPredictionsHaveAnAreaForEachAlgorithm) {
  sim::MachineDescription machine{.name = "a machine"};
  machine.general.machine = sim::Postal{.alpha = {1e-6}, .beta_per_byte = {1e-9}};
  const tuner::ForecastQuestion question{.most_steps = 1U << 17U};
  const std::vector<Bytes> sizes{{8}, {1 << 20}};
  std::vector<tuner::ForecastCell> cells;
  for (const int procs : {2, 8}) {
    for (tuner::ForecastCell& each : tuner::forecast(question, machine, procs, sizes)) {
      cells.push_back(std::move(each));
    }
  }
  const json map = json::parse(predicted_map_json(question, machine, cells, ""));
  EXPECT_EQ(map["procs"], json({2, 8}));
  EXPECT_EQ(map["sizes"], json({8, 1 << 20}));
  const std::size_t look = map["cells"][1][1]["look"];
  EXPECT_EQ(map["key"][look]["name"], "halving doubling (HD)");
  EXPECT_EQ(map["key"][look]["colour"], "#44bb99");
  EXPECT_EQ(map["cells"][1][1]["hatched"], false);
  EXPECT_NE(map["notes"].dump().find("its error was not measured"), std::string::npos);
  const json gain = json::parse(predicted_map_json(question, machine, cells, "ring"));
  EXPECT_EQ(gain["title"], "Predicted gain of allreduce over ring");
  EXPECT_THROW(static_cast<void>(predicted_map_json(question, machine, cells, "binomial")),
               UsageError);
  EXPECT_THROW(
      static_cast<void>(predicted_map_json(question, machine, std::span{cells}.first(2), "")),
      UsageError);
}

TEST(Sheets, HaveTheSizesThatHalfOfTheRowsHave) {
  std::vector<Measurement> all;
  for (const auto& [procs, bytes] : std::vector<std::pair<int, std::vector<int>>>{
           {2, {8, 64}}, {3, {8, 64}}, {4, {8, 64, 512}}, {5, {8, 40}}}) {
    for (const int size : bytes) all = join({all, launches(allreduce("ring", procs, size), {1})});
  }
  const auto decisions = tuner::decide(all);
  const std::vector<Sheet> sheets = sheets_of(decisions, Panels::for_all_mappings);
  ASSERT_EQ(sheets.size(), 1U);
  EXPECT_EQ(sheets[0].sizes, (std::vector<Bytes>{{8}, {64}}));
  EXPECT_EQ(sheets[0].left_out, (std::set<Bytes>{{40}, {512}}));
}

TEST(Sheets, TellLayoutsOfOneNumberOfProcessesApart) {
  const auto on = [](int nodes, const Mapping& mapping) {
    Case what = allreduce("ring", 4, 8);
    what.nodes = nodes;
    what.procs_per_node = 4 / nodes;
    what.mapping = mapping;
    return launches(what, {1});
  };
  const auto decisions = tuner::decide(join({on(1, Mapping::seq), on(2, Mapping::seq)}));
  const auto sheets = sheets_of(decisions, Panels::for_each_mapping);
  EXPECT_EQ(row_text(sheets[0], 1), "4 (2×2)");
  const auto more = tuner::decide(join({on(2, Mapping::seq), on(2, Mapping::rr)}));
  EXPECT_EQ(sheets_of(more, Panels::for_each_mapping).size(), 2U);
  const auto together = sheets_of(more, Panels::for_all_mappings);
  ASSERT_EQ(together.size(), 1U);
  EXPECT_EQ(row_text(together[0], 1), "4 (2×2 rr)");
}

TEST(Sheets, SayInRowsWhatCallsAtOnce) {
  Case alone = allreduce("ring", 2, 8);
  Case twice = allreduce("ring", 4, 8);
  twice.procs_per_node = 4;
  twice.comms_per_node = 2;
  const auto decisions = tuner::decide(join({launches(twice, {1}), launches(alone, {1})}));
  const json map = json::parse(fastest_map_json(kMachine, decisions));
  EXPECT_EQ(map["panels"][0]["title"], "allreduce  (int, sum)");
  EXPECT_EQ(map["panels"][0]["rows"], json({"2", "4 (1×4*2)"}));
  EXPECT_NE(map["notes"].dump().find("call at once"), std::string::npos);
}

TEST(ReportMaps, HaveRoomForTheTitleOfASingleSize) {
  const auto decisions = tuner::decide(launches(allreduce("ring", 4, 8), {1}));
  const auto sheets = sheets_of(decisions, Panels::for_each_mapping);
  const std::string svg = map_svg(sheets[0], {});
  const std::size_t at = svg.find("viewBox=\"0 0 ") + 13;
  EXPECT_GT(std::stod(svg.substr(at)), 6 * std::string{"bytes of the whole vector"}.size());
}

TEST(Words, NoTwoAlgorithmsShareLetters) {
  EXPECT_EQ(abbreviations({"binary_blocks", "binary_bruck", "binomial", "bits", "native", "ring"}),
            (std::map<std::string, std::string>{{"binary_blocks", "BiBl"},
                                                {"binary_bruck", "BiBr"},
                                                {"binomial", "Bin"},
                                                {"bits", "Bit"},
                                                {"native", ""},
                                                {"ring", "Ri"}}));
  const auto of_library = abbreviations(
      {"openmpi:recursive_doubling", "openmpi:ring", "native:reduce+bcast", "ring", "r_i"});
  EXPECT_EQ(of_library.at("openmpi:ring"), "Ri°");
  EXPECT_EQ(of_library.at("native:reduce+bcast"), "RB°");
  EXPECT_EQ(of_library.at("ring"), "Rin");
  EXPECT_EQ(of_library.at("r_i"), "RI");
}

TEST(Words, NameAlgorithmsAsPeopleDo) {
  EXPECT_EQ(display_name("openmpi:ring"), "Open MPI ring");
  EXPECT_EQ(display_name("halving_doubling"), "halving doubling");
  EXPECT_EQ(display_name("native:reduce+bcast"), "the library's reduce+bcast");
}

TEST(Words, MembersOfAFamilyShareItsColour) {
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
           {"ring", "openmpi:segmented_ring"},
           {"recursive_doubling", "mpich:recexch"},
           {"halving_doubling", "mpich:reduce_scatter_allgather"},
           {"bruck", "mpich:k_brucks"},
           {"binomial", "openmpi:knomial"}}) {
    EXPECT_EQ(family_of(one), family_of(other)) << one;
  }
  EXPECT_EQ(&family("one_of_mine"), &families().back());
  EXPECT_NE(family_of("native:reduce+bcast"), family_of("native"));
  std::set<std::string_view> fills;
  for (const Family& each : families()) fills.insert(each.fill);
  EXPECT_EQ(fills.size(), families().size());
  EXPECT_EQ(paler("#000080", 0.5), "#8080c0");
}

}  // namespace
}  // namespace breakeven::report
