// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"

namespace breakeven::plan {
namespace {

Sweep small_sweep() {
  Sweep sweep;
  sweep.collectives = {Collective::allreduce, Collective::allgather};
  sweep.procs = {2, 3};
  sweep.messages = {{8}, {64}, {512}};
  sweep.launches = 3;
  return sweep;
}

std::set<std::pair<Case, int>> planned(const SweepPlan& plan) {
  std::set<std::pair<Case, int>> found;
  for (const PlannedLaunch& launch : plan.launches) {
    for (const Case& what : launch.cases) found.emplace(what, launch.repeat);
  }
  return found;
}

std::string sweep_refusal(const Sweep& sweep, MachineKind kind = MachineKind::library) {
  try {
    static_cast<void>(make_plan(sweep, kind));
    return "accepted";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Plan, StartsEveryRepeatOnceAtEachProcessCountBeforeTheNext) {
  std::vector<std::pair<int, int>> order;
  for (const PlannedLaunch& launch : make_plan(small_sweep(), MachineKind::library).launches) {
    order.emplace_back(launch.repeat, launch.layout.procs);
  }
  EXPECT_EQ(order,
            (std::vector<std::pair<int, int>>{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 2}, {2, 3}}));
}

TEST(Plan, LeavesOutCallsThatNoIntCanMake) {
  Sweep sweep = small_sweep();
  sweep.procs = {4};
  sweep.datatype = Datatype::unsigned_char;
  sweep.messages = {{64}, {1 << 30}};
  sweep.counts = {Counts::linear};
  sweep.algorithms = {"native", "allgatherv/ring"};
  sweep.collectives = {Collective::allgatherv, Collective::bcast, Collective::reduce_scatter};
  sweep.op = Op::sum;
  const SweepPlan plan = make_plan(sweep, MachineKind::library);
  std::set<std::tuple<Collective, std::string, std::int64_t>> measured;
  for (const auto& [what, repeat] : planned(plan)) {
    measured.emplace(what.collective, what.variant.algorithm(), what.message.value);
  }
  // Blocks of 0, 2, 4 and 6 thirds of a GiB.
  EXPECT_EQ(measured, (std::set<std::tuple<Collective, std::string, std::int64_t>>{
                          {Collective::allgatherv, "native", 64},
                          {Collective::allgatherv, "ring", 64},
                          {Collective::allgatherv, "ring", 1 << 30},
                          {Collective::bcast, "native", 64},
                          {Collective::bcast, "native", 1 << 30},
                          {Collective::reduce_scatter, "native", 64}}));
  EXPECT_TRUE(
      plan.skipped.contains({"a block of 2147483648 elements is more than MPI's int can count",
                             "the library's allgatherv of 1 GiB, linear counts"}));
}

TEST(Plan, RefusesASweepOfNothing) {
  Sweep sweep = small_sweep();
  sweep.algorithms = {"native"};
  sweep.collectives = {Collective::allreduce};
  sweep.messages = {{std::int64_t{1} << 34}};
  EXPECT_EQ(sweep_refusal(sweep),
            "nothing to measure: the library's allreduce of 16 GiB, equal counts: a message "
            "of 2147483648 elements is more than MPI's int can count");
}

TEST(Plan, MeasuresWhatAProgramCallsAlone) {
  Sweep sweep = small_sweep();
  sweep.program_time = {{{Collective::allreduce, {3, 1, 3}, {64}}, {1}},
                        {{Collective::allgather, {2, 1, 2}, {4096}}, {1}},
                        {{Collective::bcast, {2, 1, 2}, {8}}, {1}}};
  std::set<std::tuple<Collective, int, Bytes>> problems;
  for (const auto& [what, repeat] : planned(make_plan(sweep, MachineKind::library))) {
    problems.emplace(what.collective, what.procs, what.message);
  }
  EXPECT_EQ(problems, (std::set<std::tuple<Collective, int, Bytes>>{
                          {Collective::allreduce, 3, {64}}, {Collective::allgather, 2, {512}}}));
  sweep.procs = {4};
  EXPECT_EQ(sweep_refusal(sweep),
            "program-time-s has no call of the collectives, layouts and mapping asked for");
}

TEST(Plan, MeasuresNoCaseTwiceInOneRepeat) {
  const SweepPlan plan = make_plan(small_sweep(), MachineKind::library);
  std::size_t cases = 0;
  for (const PlannedLaunch& launch : plan.launches) cases += launch.cases.size();
  EXPECT_EQ(planned(plan).size(), cases);
}

TEST(Plan, KeepsTheCandidatesOfAProblemTogether) {
  Sweep sweep = small_sweep();
  sweep.collectives.push_back(Collective::reduce_scatter);
  for (const PlannedLaunch& launch : make_plan(sweep, MachineKind::library).launches) {
    std::vector<Case> problems;
    for (const Case& what : launch.cases) {
      const Case problem = without_algorithm(what);
      if (problems.empty() || problems.back() != problem) problems.push_back(problem);
    }
    std::ranges::sort(problems);
    EXPECT_EQ(std::ranges::adjacent_find(problems), problems.end());
  }
}

TEST(Plan, ShufflesProblemsDifferentlyInEachLaunchAndAlikeForTheSameSeed) {
  const SweepPlan plan = make_plan(small_sweep(), MachineKind::library);
  EXPECT_NE(plan.launches[0].cases, plan.launches[2].cases);
  EXPECT_EQ(plan.launches[0].cases,
            make_plan(small_sweep(), MachineKind::library).launches[0].cases);
  Sweep reseeded = small_sweep();
  reseeded.seed = 2;
  EXPECT_NE(plan.launches[0].cases, make_plan(reseeded, MachineKind::library).launches[0].cases);
}

TEST(Plan, MeasuresIrregularCollectivesWithEachOfTheCountsAskedFor) {
  Sweep sweep = small_sweep();
  sweep.collectives = {Collective::allgather, Collective::allgatherv};
  const auto counts_of = [&](Collective collective) {
    std::map<Bytes, std::set<Counts>> found;
    for (const auto& [what, repeat] : planned(make_plan(sweep, MachineKind::library))) {
      if (what.collective == collective) found[what.message].insert(what.counts);
    }
    return found;
  };
  const auto at_each_size = [](std::set<Counts> counts) {
    return std::map<Bytes, std::set<Counts>>{{{8}, counts}, {{64}, counts}, {{512}, counts}};
  };
  EXPECT_EQ(counts_of(Collective::allgatherv), at_each_size({Counts::equal, Counts::linear}));
  EXPECT_EQ(counts_of(Collective::allgather), at_each_size({Counts::equal}));
  sweep.counts = {Counts::linear};
  EXPECT_EQ(counts_of(Collective::allgatherv), at_each_size({Counts::linear}));
  EXPECT_EQ(counts_of(Collective::allgather), at_each_size({Counts::equal}));
  sweep.counts = {};
  EXPECT_EQ(sweep_refusal(sweep), "no counts to measure irregular collectives with");
}

TEST(Plan, RefusesToRefineAPart) {
  Sweep sweep = small_sweep();
  sweep.refine = true;
  EXPECT_EQ(sweep_refusal(sweep), "accepted");
  sweep.shard = {.number = 2, .of = 3};
  EXPECT_EQ(
      sweep_refusal(sweep),
      "refine asked for of shard 2/3, whose neighbouring sizes lie in other shards; merge them, "
      "then give the same sweep without --shard");
}

TEST(Plan, LetsTheLibraryCompeteButNotOnAModel) {
  const auto has_native = [](const SweepPlan& plan) {
    return std::ranges::any_of(
        planned(plan), [](const auto& key) { return key.first.variant.template is<Native>(); });
  };
  EXPECT_TRUE(has_native(make_plan(small_sweep(), MachineKind::library)));
  EXPECT_FALSE(has_native(make_plan(small_sweep(), MachineKind::model)));
}

TEST(Plan, NamesWhatRefusesAProcessCountInsteadOfMeasuringSomethingElse) {
  const SweepPlan plan = make_plan(small_sweep(), MachineKind::library);
  const auto skipped =
      plan.skipped.find({"needs p a power of two", "allgather/recursive_doubling"});
  ASSERT_NE(skipped, plan.skipped.end());
  EXPECT_EQ(skipped->second, std::vector{3});
  EXPECT_TRUE(std::ranges::none_of(planned(plan), [](const auto& key) {
    return key.first.collective == Collective::allgather && key.first.procs == 3 &&
           key.first.variant.algorithm() == "recursive_doubling";
  }));
}

TEST(Plan, NamesCollectivesWithoutTheAlgorithmsAskedFor) {
  Sweep sweep = small_sweep();
  sweep.algorithms = {"halving_doubling"};
  EXPECT_EQ(make_plan(sweep, MachineKind::library).skipped,
            (Skips{{{"none of the algorithms asked for", "allgather"}, {2, 3}}}));
}

TEST(Plan, TakesTheLibrarysOwnCollectiveByEitherName) {
  Sweep sweep = small_sweep();
  sweep.algorithms = {"allreduce/native"};
  for (const auto& [what, repeat] : planned(make_plan(sweep, MachineKind::library))) {
    EXPECT_EQ(what.collective, Collective::allreduce);
    EXPECT_EQ(what.variant.algorithm(), kNative);
  }
}

TEST(Plan, MeasuresAllCollectivesAtTheSizesAsked) {
  std::map<Collective, std::set<Bytes>> sizes;
  for (const auto& [what, repeat] : planned(make_plan(small_sweep(), MachineKind::library))) {
    sizes[what.collective].insert(what.message);
  }
  EXPECT_EQ(sizes[Collective::allreduce], (std::set<Bytes>{{8}, {64}, {512}}));
  EXPECT_EQ(sizes[Collective::allgather], sizes[Collective::allreduce]);
}

TEST(Plan, GivesOpsToReductionsAndRootsToRootedCollectivesOnly) {
  Sweep sweep = small_sweep();
  sweep.collectives = {Collective::allreduce, Collective::allgather, Collective::reduce};
  sweep.root = {1};
  for (const auto& [what, repeat] : planned(make_plan(sweep, MachineKind::library))) {
    EXPECT_EQ(what.op, reduces(what.collective) ? Op::sum : Op::none);
    EXPECT_EQ(what.root, what.collective == Collective::reduce ? Rank{1} : Rank{0});
  }
}

TEST(Plan, RemainingDropsWhatIsStoredAndLaunchesWithoutWork) {
  const SweepPlan plan = make_plan(small_sweep(), MachineKind::library);
  std::set<std::pair<Case, int>> stored;
  for (const Case& what : plan.launches[1].cases) stored.emplace(what, plan.launches[1].repeat);
  stored.emplace(plan.launches[0].cases[4], plan.launches[0].repeat);
  const SweepPlan open = remaining(plan, stored);
  EXPECT_EQ(open.launches.size(), plan.launches.size() - 1);
  EXPECT_EQ(planned(open).size(), planned(plan).size() - stored.size());
  for (const auto& key : planned(open)) EXPECT_FALSE(stored.contains(key));
}

TEST(Plan, RefusesWhatNeedsAGlobalClockWithoutOne) {
  Sweep sweep = small_sweep();
  sweep.measure.sync = SyncMethod::window;
  EXPECT_EQ(sweep_refusal(sweep),
            "sync 'window' needs a global clock; --clock-sync: skampi jk hca hca2 hca3 two_level");
  sweep.measure.clock_sync = ClockSync::hca3;
  EXPECT_EQ(sweep_refusal(sweep), "accepted");
  sweep.measure = {.run_time = RunTime::global};
  EXPECT_EQ(
      sweep_refusal(sweep),
      "run time 'global' needs a global clock; --clock-sync: skampi jk hca hca2 hca3 two_level");
  sweep.measure.clock_sync = ClockSync::hca3;
  EXPECT_EQ(sweep_refusal(sweep), "accepted");
  sweep.machine = "postal:alpha=1e-6";
  EXPECT_EQ(sweep_refusal(sweep, MachineKind::model),
            "run time 'global' asked for; a model has no clocks, and its times are local");
}

TEST(Plan, SharesProcessesEvenlyAmongNodes) {
  Sweep sweep = small_sweep();
  sweep.procs = {8};
  sweep.nodes = 4;
  sweep.mapping = Mapping::rr;
  const PlannedLaunch launch = make_plan(sweep, MachineKind::library).launches.front();
  EXPECT_EQ(launch.layout.procs_per_node, 2);
  EXPECT_EQ(launch.cases.front().procs_per_node, 2);
  EXPECT_EQ(launch.cases.front().mapping, Mapping::rr);
}

TEST(Plan, MeasuresCommunicatorsOnOneJobsNodesInItsLaunches) {
  Sweep sweep = small_sweep();
  sweep.procs = Sweep{}.procs;
  sweep.layouts = {parse_shape("2x4"), parse_shape("2x1*4"), parse_shape("1x4")};
  sweep.mapping = Mapping::rr;
  const std::vector<NodeLayout> jobs = jobs_of(sweep);
  // In a job of 2 x 4 in order, which is no rr; 1 x 4 has a job of its own.
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[1], (NodeLayout{.procs = 8, .nodes = 2, .procs_per_node = 4}));
  sweep.mapping = Mapping::seq;
  EXPECT_EQ(jobs_of(sweep).size(), 2U);
  const SweepPlan plan = make_plan(sweep, MachineKind::library);
  std::set<std::pair<int, int>> measured;
  for (const Case& what : plan.launches.front().cases)
    measured.emplace(what.procs, what.comms_per_node);
  EXPECT_EQ(measured, (std::set<std::pair<int, int>>{{2, 4}, {8, 1}}));
  EXPECT_THROW(static_cast<void>(make_plan(sweep, MachineKind::model)), UsageError);
  sweep.nodes = 2;
  EXPECT_EQ(sweep_refusal(sweep),
            "layouts asked for and process counts or nodes as well; give one of both");
}

/// The parameters with which a plan measures an algorithm.
std::set<std::string> measured_params(const Sweep& sweep, std::string_view algorithm) {
  std::set<std::string> params;
  for (const PlannedLaunch& launch : make_plan(sweep, MachineKind::library).launches) {
    for (const Case& what : launch.cases) {
      if (what.variant.algorithm() == algorithm) params.emplace(what.variant.params());
    }
  }
  return params;
}

TEST(Plan, MeasuresAlgorithmsWithReorderedRanksWhereLessThenPassesBetweenNodes) {
  Sweep sweep = small_sweep();
  sweep.collectives = {Collective::allgather};
  sweep.algorithms = {};
  sweep.procs = {8};
  EXPECT_EQ(measured_params(sweep, "ring"), (std::set<std::string>{""}));
  sweep.nodes = 2;
  EXPECT_EQ(measured_params(sweep, "ring"), (std::set<std::string>{""}));
  EXPECT_EQ(measured_params(sweep, "recursive_doubling"),
            (std::set<std::string>{"", "reorder_ranks=rr"}));
  sweep.mapping = Mapping::rr;
  EXPECT_EQ(measured_params(sweep, "ring"), (std::set<std::string>{"", "reorder_ranks=seq"}));
  EXPECT_EQ(measured_params(sweep, "recursive_doubling"), (std::set<std::string>{""}));
  sweep.reorder_ranks = false;
  EXPECT_EQ(measured_params(sweep, "ring"), (std::set<std::string>{""}));
}

TEST(Plan, RefusesInOneLineWhatCanNotBeMeasured) {
  const auto with = [](const auto& change) {
    Sweep sweep = small_sweep();
    change(sweep);
    return sweep_refusal(sweep);
  };
  const std::string unknown = with([](Sweep& s) { s.algorithms = {"rign"}; });
  EXPECT_TRUE(
      unknown.starts_with("in this sweep's collectives there is no algorithm 'rign'; did you mean "
                          "'allreduce/ring' or 'allgather/ring'? known: native mock_ups "))
      << unknown;
  EXPECT_NE(unknown.find(" allgather/ring"), std::string::npos);
  const auto only_at = [](std::vector<int> procs) {
    return [procs](Sweep& s) {
      s.algorithms = {"allgather/recursive_doubling"};
      s.procs = procs;
    };
  };
  EXPECT_EQ(with(only_at({3, 5})),
            "'allgather/recursive_doubling' can't run at p = 3, 5: allgather/recursive_doubling "
            "needs p a power of two");
  EXPECT_EQ(with(only_at({2, 3})), "accepted");
  EXPECT_EQ(with([](Sweep& s) { s.op = Op::bor; }),
            "MPI does not define op 'bor' on datatype 'double'");
  EXPECT_EQ(with([](Sweep& s) { s.messages = {{12}}; }),
            "message size 12 B asked for, which is not whole elements of 'double' (8 B)");
  EXPECT_EQ(with([](Sweep& s) { s.root = {2}; }), "root 2 asked for, but p = 2 has ranks 0..1");
  EXPECT_EQ(with([](Sweep& s) { s.nodes = 2; }),
            "p = 3 asked for, which 2 nodes can't share evenly");
  EXPECT_EQ(with([](Sweep& s) { s.mapping = Mapping::rr; }),
            "mapping 'rr' asked for on 1 node, where it is the same as 'seq'; give --nodes");
  EXPECT_EQ(with([](Sweep& s) {
              s.procs = {6};
              s.nodes = 2;
              s.mapping = Mapping::blocked(2);
            }),
            "6 processes on 2 nodes, 3 on each, can't be mapped as blocked:2");
  EXPECT_EQ(with([](Sweep& s) { s.launches = 0; }), "0 launches asked for; at least 1");
  EXPECT_EQ(with([](Sweep& s) { s.messages = {}; }), "no message size to measure");
  EXPECT_EQ(with([](Sweep& s) { s.procs = {}; }), "no process count to measure at");
  EXPECT_NE(with([](Sweep& s) { s.measure.batch = 0; }), "accepted");
}

TEST(Plan, RefusesNativeOnAModel) {
  Sweep sweep = small_sweep();
  sweep.machine = "postal:alpha=1,beta=1,gamma=1";
  sweep.algorithms = {"native"};
  EXPECT_EQ(sweep_refusal(sweep, MachineKind::model),
            "'native' asked for on model 'postal:alpha=1,beta=1,gamma=1', which has no library of "
            "its own");
}

}  // namespace
}  // namespace breakeven::plan
