// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/make_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "sim/machine.hpp"
#include "tables/testing.hpp"

namespace breakeven::tuner {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using tables::testing::allreduce;
using tables::testing::small_table;

/// The text of the UsageError that `make_table` ends with.
std::string refusal(const std::vector<Measurement>& measurements, const TableKey& which = {}) {
  try {
    const tables::Table table = make_table(measurements, which);
    return "no error, rules: " + std::to_string(table.rules.size());
  } catch (const UsageError& error) {
    return error.what();
  }
}

constexpr sim::Postal kModel{
    .alpha = {1.7e-6}, .beta_per_byte = {0.9e-9}, .gamma_per_byte = {0.13e-9}};

/// Allreduce of int by `algorithm` on the model, three launches each, at 8 B, 16 B, ... 16 MiB.
std::vector<Measurement> sweep_of_model(const std::string& algorithm, int procs) {
  const kernels::Problem problem{.collective = Collective::allreduce, .procs = procs};
  const kernels::Exchange exchange =
      kernels::exchange_of(kernels::find_algorithm(problem.collective, algorithm), problem);
  std::vector<Measurement> measurements;
  for (std::int64_t bytes = 8; bytes <= 16 << 20; bytes *= 2) {
    const kernels::CollectiveCall call{.problem = problem, .count = bytes / 4};
    const double time = 1e6 * sim::finish_time(exchange, call, kModel).value;
    measurements = join({std::move(measurements),
                         launches(allreduce(algorithm, procs, bytes), {time, time, time})});
  }
  return measurements;
}

/// The m at which the papers' formulas for recursive doubling, lg p (a + m b + m g), and the ring,
/// 2 (p-1) a + (p-1)/p m (2 b + g), give the same time.
double crossing(int procs) {
  const double share = (procs - 1.0) / procs;
  const double rounds = std::log2(procs);
  const double beta = kModel.beta_per_byte.value;
  const double gamma = kModel.gamma_per_byte.value;
  return kModel.alpha.value * (2 * (procs - 1) - rounds) /
         (rounds * (beta + gamma) - share * (2 * beta + gamma));
}

TEST(Table, BreakEvenPointsOnThePostalModelAreThoseOfTheFormulas) {
  for (const int procs : {2, 4, 8, 16, 32, 64}) {
    const tables::Table table = make_table(
        join({sweep_of_model("recursive_doubling", procs), sweep_of_model("ring", procs)}));
    ASSERT_EQ(table.rules.size(), 2U) << "p = " << procs;
    EXPECT_EQ(table.rules[0].what.variant.algorithm(), "recursive_doubling");
    EXPECT_EQ(table.rules[1].what.variant.algorithm(), "ring");
    const auto elements = static_cast<std::int64_t>(std::ceil(crossing(procs) / 4));
    EXPECT_EQ(table.rules[1].what.message, Bytes{4 * elements}) << "p = " << procs;
  }
}

TEST(Table, ConsecutiveSizesOfOneChoiceAreOneRuleWithTheirWorstCertainty) {
  auto measurements = join({launches(allreduce("native", 4, 8), {8, 8, 8}),
                            launches(allreduce("ring", 4, 8), {2, 2, 2}),
                            launches(allreduce("native", 4, 16), {6, 6, 6, 6}),
                            launches(allreduce("ring", 4, 16), {3, 3, 3, 3}),
                            launches(allreduce("reduce_bcast", 4, 16), {2.97, 2.8, 3.2}),
                            launches(allreduce("native", 4, 32), {1, 1, 1}),
                            launches(allreduce("ring", 4, 32), {7, 7, 7})});
  measurements[6].oversubscribed = true;  // native at 16 B
  const tables::Table table = make_table(measurements);
  ASSERT_EQ(table.rules.size(), 2U);
  const tables::Rule& ring = table.rules[0];
  EXPECT_EQ(ring.what.variant.algorithm(), "ring");
  EXPECT_EQ(ring.what.message, Bytes{8});
  EXPECT_EQ(ring.first_measured, Bytes{8});
  EXPECT_EQ(ring.last_measured, Bytes{16});
  EXPECT_EQ(ring.certainty, tables::Certainty::undecided);
  EXPECT_EQ(ring.launches, 3);
  EXPECT_NEAR(ring.speedup->ratio, 2, 0.01);
  EXPECT_LT(ring.near_best, 0.95);
  EXPECT_EQ(ring.rivals, std::vector<Variant>{Ours{"reduce_bcast"}});
  EXPECT_EQ(ring.sizes, 2);
  EXPECT_EQ(ring.decided_sizes, 1);
  EXPECT_TRUE(ring.oversubscribed);
  const tables::Rule& native = table.rules[1];
  EXPECT_EQ(native.what.variant.algorithm(), "native");
  EXPECT_EQ(native.previous, Bytes{16});
  EXPECT_EQ(native.first_measured, Bytes{32});
  EXPECT_EQ(native.what.message, Bytes{24});  // leads 3 and 6: a third of 16 on, 21.3
}

Case gatherv_case(Counts counts, const std::string& algorithm, std::int64_t bytes) {
  Case what = allreduce(algorithm, 4, bytes);
  what.collective = Collective::gatherv;
  what.op = Op::none;
  what.counts = counts;
  return what;
}

TEST(Table, HasOneRowForASizeWhateverTheCountsAndTheWorstOfThem) {
  const tables::Table table =
      make_table(join({launches(gatherv_case(Counts::equal, "native", 8), {8, 8, 8, 8}),
                       launches(gatherv_case(Counts::equal, "binomial", 8), {2, 2, 2, 2}),
                       launches(gatherv_case(Counts::linear, "native", 8), {9, 9, 9}),
                       launches(gatherv_case(Counts::linear, "binomial", 8), {6, 6, 6}),
                       launches(gatherv_case(Counts::linear, "linear", 8), {5, 5, 5})}));
  ASSERT_EQ(table.rules.size(), 1U);
  const tables::Rule& rule = table.rules[0];
  EXPECT_EQ(rule.what.variant.algorithm(), "binomial");
  EXPECT_EQ(rule.what.counts, Counts::equal);
  EXPECT_EQ(rule.sizes, 1);
  EXPECT_NEAR(rule.speedup->ratio, 1.5, 1e-6);
  EXPECT_EQ(rule.certainty, tables::Certainty::undecided);
  EXPECT_EQ(rule.launches, 3);
}

TEST(Table, IsRefusedWhereNobodyWasMeasuredWithAllCounts) {
  EXPECT_EQ(refusal(join({launches(gatherv_case(Counts::equal, "linear", 8), {1, 1, 1}),
                          launches(gatherv_case(Counts::linear, "binomial", 8), {1, 1, 1})})),
            "no algorithm was measured with all the counts that others were: no table");
}

TEST(Table, OtherParametersOfOneAlgorithmAreAnotherRule) {
  Case wide = allreduce("ring", 4, 16);
  wide.variant = wide.variant.with_params("segments=64");
  const tables::Table table =
      make_table(join({launches(allreduce("ring", 4, 8), {1, 1, 1}), launches(wide, {1, 1, 1})}));
  ASSERT_EQ(table.rules.size(), 2U);
  EXPECT_EQ(table.rules[1].what.variant.params(), "segments=64");
}

TEST(Table, ParametersHoldAtEachPThatTheyFit) {
  const auto rule_of = [](const std::string& algorithm, const std::string& params) {
    Case what = allreduce(algorithm, 4, 8);
    what.variant = what.variant.with_params(params);
    return make_table(launches(what, {1, 1, 1})).rules.front();
  };
  EXPECT_TRUE(rule_of("ring", "segments=4").requirement.met(48));
  EXPECT_TRUE(rule_of("hierarchical", "allreduce=circulant").requirement.met(48));
  EXPECT_EQ(rule_of("recursive_multiplying", "stages=4").requirement.text,
            tables::kMeasuredProcs.text);
  EXPECT_EQ(rule_of("ring", "reorder_ranks=2,0,1,3").requirement.text, tables::kMeasuredProcs.text);
}

TEST(Table, SeveralOperationsMustBeToldApart) {
  Case largest = allreduce("ring", 4, 8);
  largest.op = Op::max;
  const auto measurements =
      join({launches(allreduce("ring", 4, 8), {1, 1, 1}), launches(largest, {2, 2, 2})});
  EXPECT_EQ(refusal(measurements),
            "a table is for one datatype, op and root; say which, measured are: datatype int; op "
            "max, sum");
  const tables::Table table = make_table(measurements, {.op = Op::max});
  EXPECT_EQ(table.op, Op::max);
  ASSERT_EQ(table.rules.size(), 1U);
  EXPECT_EQ(table.rules[0].what.op, Op::max);
}

TEST(Table, TheOperationOfACollectiveThatOnlyMovesDataIsNoSecondOne) {
  Case moved = allreduce("binomial", 4, 8);
  moved.collective = Collective::bcast;
  moved.op = Op::none;
  moved.root = Rank{2};
  const auto measurements =
      join({launches(allreduce("ring", 4, 8), {1, 1, 1}), launches(moved, {2, 2, 2})});
  const tables::Table table = make_table(measurements, {.op = Op::sum, .root = Rank{2}});
  EXPECT_EQ(table.rules.size(), 2U);
  EXPECT_EQ(table.op, Op::sum);
  EXPECT_EQ(table.root, Rank{2});
}

TEST(Table, SeveralRootsOrDatatypesMustBeToldApart) {
  Case moved = allreduce("binomial", 4, 8);
  moved.collective = Collective::bcast;
  moved.op = Op::none;
  Case elsewhere = moved;
  elsewhere.root = Rank{1};
  EXPECT_EQ(refusal(join({launches(moved, {1}), launches(elsewhere, {1})})),
            "a table is for one datatype, op and root; say which, measured are: datatype int; "
            "root 0, 1");
  Case wide = moved;
  wide.datatype = Datatype::double_;
  EXPECT_EQ(refusal(join({launches(moved, {1}), launches(wide, {1})})),
            "a table is for one datatype, op and root; say which, measured are: datatype double, "
            "int; root 0");
}

/// Of native, which takes 10, and two others at p = 4 on these nodes.
std::vector<Measurement> on_nodes(int nodes, const std::string& first, double one,
                                  const std::string& second, double other) {
  std::vector<Measurement> all = join({launches(allreduce("native", 4, 64), {10, 10, 10}),
                                       launches(allreduce(first, 4, 64), {one, one, one}),
                                       launches(allreduce(second, 4, 64), {other, other, other})});
  for (Measurement& each : all) {
    each.what.nodes = nodes;
    each.what.procs_per_node = 4 / nodes;
  }
  return all;
}

TEST(Table, HasRulesForEachLayoutOfOneP) {
  const tables::Table table = make_table(
      join({on_nodes(1, "ring", 1, "reduce_bcast", 2), on_nodes(2, "ring", 3, "reduce_bcast", 2)}));
  ASSERT_EQ(table.rules.size(), 2U);
  Case problem = allreduce("native", 4, 64);
  EXPECT_EQ(table.choose(problem), (tables::Choice{Ours{"ring"}, true, true}));
  problem.nodes = 2;
  problem.procs_per_node = 2;
  EXPECT_EQ(table.choose(problem), (tables::Choice{Ours{"reduce_bcast"}, true, true}));
  // 4 x 1 and 8 x 1 are nearer to 2 x 2 than to 1 x 4.
  problem.nodes = 4;
  EXPECT_EQ(table.choose(problem).variant, Variant{Ours{"reduce_bcast"}});
  problem.procs = problem.nodes = 8;
  EXPECT_EQ(table.choose(problem), (tables::Choice{Ours{"reduce_bcast"}, false, false}));
  // Two columns of 2 x 2 that call at once are nearer to one of 2 x 2 than to 1 x 4.
  problem.procs = 4;
  problem.nodes = problem.comms_per_node = 2;
  EXPECT_EQ(table.choose(problem), (tables::Choice{Ours{"reduce_bcast"}, false, false}));
}

TEST(LibraryTable, KeepsTheLayoutWhoseChoicesCostTheOthersLeastAndSaysWhatItLoses) {
  // The choice for 1 x 4 costs 2 x 2 four times its time, that for 2 x 2 costs 1 x 4 half more.
  const auto all = join({on_nodes(1, "openmpi:ring", 3, "openmpi:recursive_doubling", 2),
                         on_nodes(2, "openmpi:ring", 1, "openmpi:recursive_doubling", 4)});
  const tables::Table table = make_table(all, {.candidates = tables::Candidates::library,
                                               .allowed_unsafe = {"openmpi:allreduce/ring"}});
  ASSERT_EQ(table.rules.size(), 1U);
  EXPECT_EQ(table.rules.at(0).what.nodes, 2);
  EXPECT_EQ(table.rules.at(0).what.variant, (Variant{LibraryOwn{"openmpi", "ring"}}));
  EXPECT_EQ(table.lost_layouts,
            std::vector<std::string>{
                "allreduce at p = 4: the choices are for 2 x 2 seq; on 1 x 4 seq they take 1.50 "
                "times as long as its own, 1.50 times at worst"});
}

TEST(Table, AKeyThatMatchesNothingIsRefusedWithWhatThereIs) {
  EXPECT_EQ(refusal(launches(allreduce("ring", 4, 8), {1}), {.datatype = Datatype::float_}),
            "nothing measured fits the table asked for, which is for blocking calls; measured are: "
            "datatype int; op sum; processes per node 4; mapping seq; form of calls blocking");
  Case early = allreduce("ring", 4, 8);
  early.form = CallForm::persistent;
  EXPECT_THROW(static_cast<void>(make_table(launches(early, {1}))), UsageError);
  EXPECT_EQ(refusal({}), "nothing was measured on this machine: no table");
}

TEST(Table, AnAlgorithmThatThisProgramDoesNotHaveIsRefused) {
  EXPECT_EQ(refusal(launches(allreduce("rign", 4, 8), {1})).substr(0, 52),
            "no allreduce algorithm 'rign'; did you mean 'ring'? ");
}

TEST(TableLookup, TheRuleHoldsFromItsFirstSizeOn) {
  const tables::Table table = small_table();
  EXPECT_EQ(table.choose(allreduce("native", 2, 1019)).variant.algorithm(), "native");
  EXPECT_EQ(
      table.choose(allreduce("native", 2, 1020)),
      (tables::Choice{.variant = Ours{"ring", "segments=8"}, .measured = true, .decided = true}));
  EXPECT_EQ(table.choose(allreduce("native", 2, std::int64_t{1} << 40)).variant.algorithm(),
            "ring");
}

TEST(TableLookup, SizesBelowTheFirstRuleTakeIt) {
  EXPECT_EQ(small_table()
                .choose({.collective = Collective::allgather, .procs = 4, .message = {0}})
                .variant.algorithm(),
            "recursive_doubling");
}

TEST(TableLookup, AnUnmeasuredPTakesTheNearestByRatioAndOfTwoTheSmaller) {
  const tables::Table table = small_table();
  EXPECT_EQ(
      table.choose(allreduce("native", 3, 1 << 20)),
      (tables::Choice{.variant = Ours{"ring", "segments=8"}, .measured = false, .decided = false}));
  EXPECT_EQ(table.choose(allreduce("native", 4, 1 << 20)).variant.algorithm(),
            "ring");  // 2 and 8 tie
  EXPECT_EQ(table.choose(allreduce("native", 5, 1 << 20)).variant.algorithm(), "halving_doubling");
}

TEST(TableLookup, AnAlgorithmThatCanNotRunAtTheAskedPGivesNative) {
  const tables::Table table = small_table();
  EXPECT_EQ(table.choose(allreduce("native", 16, 8)).variant.algorithm(), "recursive_doubling");
  EXPECT_EQ(table.choose(allreduce("native", 12, 8)), tables::Choice{});
  EXPECT_EQ(table.choose(allreduce("native", 0, 8)), tables::Choice{});
}

TEST(TableLookup, WhatWasNotMeasuredIsNative) {
  EXPECT_EQ(small_table().choose({.collective = Collective::scatter, .procs = 4, .message = {8}}),
            tables::Choice{});
}

TEST(TableLookup, AMappingMattersWhereNodesHaveSeveralProcessesEach) {
  tables::Table table = small_table();
  Case& rule = table.rules[0].what;
  Case dealt = rule;
  dealt.nodes = dealt.procs_per_node = 2;
  dealt.mapping = Mapping::rr;
  EXPECT_EQ(table.choose(dealt).variant, rule.variant);  // of one node
  rule.nodes = rule.procs_per_node = 2;
  EXPECT_EQ(table.choose(dealt), tables::Choice{});
  rule.nodes = 4;
  rule.procs_per_node = 1;
  EXPECT_EQ(table.choose(dealt).variant, rule.variant);
}

TEST(TableLookup, MappingsAreKeptApartAndParametersGoWithTheAlgorithm) {
  EXPECT_EQ(small_table().choose({.collective = Collective::allreduce,
                                  .procs = 8,
                                  .nodes = 2,
                                  .mapping = Mapping::rr,
                                  .message = {8}}),
            (tables::Choice{Ours{"ring", "segments=4"}, true, true}));
}

/// openmpi:ring is the fastest at p = 4 and p = 16.
tables::Table table_of_rings() {
  std::vector<Measurement> all;
  for (const int procs : {4, 16}) {
    all = join({all, launches(allreduce("native", procs, 8), {9, 9, 9}),
                launches(allreduce("openmpi:ring", procs, 64), {3, 3, 3}),
                launches(allreduce("native", procs, 64), {9, 9, 9})});
  }
  TableKey key;
  key.candidates = tables::Candidates::library;
  key.allowed_unsafe = {"openmpi:allreduce/ring"};
  return make_table(all, key);
}

TEST(LibraryTable, ChoosesBetweenMeasuredProcessesAndNotBeyond) {
  const tables::Table table = table_of_rings();
  const auto chosen = [&](int procs) {
    return table.choose(allreduce("native", procs, 128)).variant.algorithm();
  };
  EXPECT_EQ(chosen(4), "openmpi:ring");
  EXPECT_EQ(chosen(6), "openmpi:ring");
  EXPECT_EQ(chosen(16), "openmpi:ring");
  EXPECT_EQ(chosen(3), "native");
  EXPECT_EQ(chosen(17), "native");
}

TEST(LibraryTable, LeavesToTheLibraryWhatWouldNotRunAsNamed) {
  const tables::Table table = table_of_rings();
  EXPECT_EQ(table.choose(allreduce("native", 15, 60)).variant.algorithm(), "openmpi:ring");
  EXPECT_EQ(table.choose(allreduce("native", 15, 56)).variant.algorithm(), "native");
}

TEST(LibraryTable, HasOneMappingWhereLayoutsHaveOneProcessOnEachNode) {
  auto dealt = on_nodes(2, "openmpi:recursive_doubling", 1, "openmpi:nonoverlapping", 2);
  for (Measurement& each : dealt) each.what.mapping = Mapping::rr;
  const auto spread = on_nodes(4, "openmpi:recursive_doubling", 2, "openmpi:nonoverlapping", 3);
  const tables::Table table =
      make_table(join({dealt, spread}), {.candidates = tables::Candidates::library});
  ASSERT_EQ(table.rules.size(), 1U);
  EXPECT_EQ(table.rules.at(0).what.mapping, Mapping::rr);
  EXPECT_EQ(table.lost_layouts.size(), 1U);
}

TEST(LibraryTable, LeavesOutLayoutsWithMoreProcessesThanCores) {
  auto crowded = on_nodes(1, "openmpi:recursive_doubling", 90, "openmpi:nonoverlapping", 1);
  for (Measurement& each : crowded) each.oversubscribed = true;
  const auto spread = on_nodes(2, "openmpi:recursive_doubling", 2, "openmpi:nonoverlapping", 3);
  const tables::Table table =
      make_table(join({crowded, spread}), {.candidates = tables::Candidates::library});
  ASSERT_EQ(table.rules.size(), 1U);
  EXPECT_EQ(table.rules.at(0).what.nodes, 2);
  EXPECT_TRUE(table.lost_layouts.empty());
}

TEST(TableLookup, ALibrarysAlgorithmMustRunOnTheCallsOwnLayout) {
  Case what = allreduce("mpich:smp", 8, 64);
  what.nodes = 2;
  what.procs_per_node = 4;
  const tables::Table table{.rules = {{.what = what}}};
  EXPECT_EQ(table.choose(what).variant, what.variant);
  what.nodes = 8;  // where no node has several processes
  what.procs_per_node = 1;
  EXPECT_EQ(table.choose(what), tables::Choice{});
}

TEST(LibraryTable, HasNoneOfOurs) {
  const auto all = join({launches(allreduce("native", 4, 8), {9, 9, 9}),
                         launches(allreduce("ring", 4, 8), {1, 1, 1}),
                         launches(allreduce("mpich:nb", 4, 8), {3, 3, 3})});
  const auto chosen = [&](tables::Candidates candidates) {
    return make_table(all, {.candidates = candidates}).rules.at(0).what.variant.algorithm();
  };
  EXPECT_EQ(chosen(tables::Candidates::all), "ring");
  EXPECT_EQ(chosen(tables::Candidates::ours), "ring");
  EXPECT_EQ(chosen(tables::Candidates::library), "mpich:nb");
}

TEST(Table, IsOfOneMappingWhereThatIsAskedFor) {
  Case in_order = allreduce("halving_doubling", 4, 8);
  in_order.nodes = in_order.procs_per_node = 2;
  Case spread = with_variant(in_order, Ours{"ring"});
  spread.mapping = Mapping::rr;
  const auto measurements = join({launches(in_order, {1, 1, 1}), launches(spread, {2, 2, 2})});
  EXPECT_EQ(make_table(measurements).rules.size(), 2U);
  const tables::Table table = make_table(measurements, {.mapping = Mapping::rr});
  ASSERT_EQ(table.rules.size(), 1U);
  EXPECT_EQ(table.rules[0].what.mapping, Mapping::rr);
}

TEST(Table, OfADamagedDatabaseThereIsNone) {
  const auto refusal = [](auto&& damage) -> std::string {
    std::vector<Measurement> measurements = launches(allreduce("ring", 4, 8), {1, 1, 1});
    damage(measurements[1]);
    try {
      static_cast<void>(make_table(measurements));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  const std::string where = "the database is damaged: ring of allreduce at p = ";
  EXPECT_EQ(refusal([](Measurement& each) { each.what.procs_per_node = 0; }),
            where + "4, 8 B: 0 processes per node");
  EXPECT_EQ(refusal([](Measurement& each) { each.what.procs = 0; }),
            where + "0, 8 B: less than one process");
  EXPECT_EQ(refusal([](Measurement& each) { each.what.nodes = 5; }), where + "4, 8 B: 5 nodes");
  EXPECT_EQ(refusal([](Measurement& each) { each.what.message = {-8}; }),
            where + "4, -8 B: less than no bytes");
  EXPECT_EQ(refusal([](Measurement& each) { each.median = {0}; }), where + "4, 8 B: median 0 s");
  // One process needs no time in a model.
  EXPECT_EQ(make_table(launches(allreduce("ring", 1, 8), {0, 0, 0})).rules.size(), 1U);
}

TEST(Table, OfALibraryLeavesOutWhatHarmsLegalProgramsUnlessItIsAllowed) {
  const auto measurements =
      join({launches(allreduce("native", 4, 1024), {4, 4, 4}),
            launches(allreduce("openmpi:ring", 4, 1024), {1, 1, 1}),
            launches(allreduce("openmpi:recursive_doubling", 4, 1024), {2, 2, 2})});
  const auto chosen = [&](const TableKey& key) {
    return make_table(measurements, key).rules[0].what.variant.algorithm();
  };
  // To know what is fastest is another question.
  EXPECT_EQ(chosen({}), "openmpi:ring");
  TableKey key;
  key.candidates = tables::Candidates::library;
  EXPECT_EQ(chosen(key), "openmpi:recursive_doubling");
  key.allowed_unsafe = {"openmpi:allreduce/ring"};
  EXPECT_EQ(chosen(key), "openmpi:ring");
}

/// Nonblocking, of the library.
Case iallreduce(const std::string& algorithm, int procs, std::int64_t bytes) {
  return with_form(allreduce(algorithm, procs, bytes), CallForm::nonblocking);
}

TEST(Choosable, OfALibraryAreItsSafeAlgorithmsAlsoOfNonblockingCalls) {
  const std::vector<Measurement> measurements =
      join({launches(allreduce("ring", 4, 8), {1}), launches(iallreduce("native", 4, 8), {1}),
            launches(iallreduce("openmpi:binomial", 4, 8), {1}),
            launches(iallreduce("openmpi:ring", 4, 8), {1}),
            launches(with_form(allreduce("native", 4, 8), CallForm::persistent), {1})});
  const auto found = [&](tables::Candidates by) {
    std::vector<std::string> names;
    for (const Measurement& each : choosable(measurements, by)) {
      names.push_back(algorithm_text(each.what));
    }
    return names;
  };
  EXPECT_EQ(found(tables::Candidates::all), std::vector<std::string>{"allreduce/ring"});
  EXPECT_EQ(found(tables::Candidates::library),
            (std::vector<std::string>{"allreduce/native", "openmpi:iallreduce/binomial"}));
}

TEST(MakeTable, CallsOfWhichTheLibraryTakesOneAlgorithmHaveOneForAllSizesAndProcs) {
  std::vector<Measurement> measurements;
  for (const int procs : {2, 4}) {
    const auto add = [&](const char* algorithm, std::int64_t bytes, std::vector<double> medians) {
      std::ranges::move(launches(iallreduce(algorithm, procs, bytes), medians),
                        std::back_inserter(measurements));
    };
    for (const std::int64_t bytes : {8, 64, 512}) {
      const bool most = bytes < 512;
      add("native", bytes, {10, 10.1, 9.9});
      add("openmpi:binomial", bytes,
          most ? std::vector<double>{8, 8.1, 7.9} : std::vector<double>{11, 11.1, 10.9});
      // Faster, but not measured at every p.
      if (procs == 2) add("openmpi:recursive_doubling", bytes, {4, 4.1, 3.9});
    }
  }
  const TableKey key{.candidates = tables::Candidates::library};
  for (const tables::Rule& rule : make_table(measurements, key).rules) {
    EXPECT_EQ(to_text(rule.what.variant), "openmpi:binomial") << rule.what.procs;
  }
  // Of MPICH a file has a choice for each size.
  for (Measurement& each : measurements) {
    if (to_text(each.what.variant) == "openmpi:binomial") {
      each.what.variant = LibraryOwn{"mpich", "sched_naive"};
    }
  }
  std::erase_if(measurements, [](const Measurement& each) {
    return to_text(each.what.variant) == "openmpi:recursive_doubling";
  });
  const tables::Table by_size = make_table(measurements, key);
  EXPECT_EQ(to_text(tables::chosen(by_size, iallreduce("native", 4, 8)).variant),
            "mpich:sched_naive");
  EXPECT_EQ(to_text(tables::chosen(by_size, iallreduce("native", 4, 512)).variant), kNative);
}

TEST(MakeTable, WhatIsFixedHoldsForCallsOfWhichTheLibraryTakesOneAlgorithm) {
  const std::vector<Measurement> measurements =
      join({launches(iallreduce("native", 4, 8), {8, 9, 10}),
            launches(iallreduce("openmpi:binomial", 4, 8), {4, 4.5, 5})});
  TableKey key{.candidates = tables::Candidates::library};
  EXPECT_EQ(to_text(make_table(measurements, key).rules.at(0).what.variant), "openmpi:binomial");
  key.fixed = {{Collective::allreduce, Native{}}};
  EXPECT_EQ(to_text(make_table(measurements, key).rules.at(0).what.variant), kNative);
}

TEST(MakeTable, ProgramsHaveNoChoicesForNonblockingCalls) {
  const std::vector<Measurement> measurements =
      join({launches(allreduce("native", 4, 8), {8, 9, 10}),
            launches(iallreduce("native", 4, 8), {8, 9, 10}),
            launches(iallreduce("ring", 4, 8), {4, 4.5, 5})});
  const tables::Table table = make_table(measurements, {.candidates = tables::Candidates::ours});
  ASSERT_EQ(table.rules.size(), 1U);
  EXPECT_EQ(table.rules[0].what.form, CallForm::blocking);
}

}  // namespace
}  // namespace breakeven::tuner
