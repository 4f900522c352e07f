// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/candidates.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "harness/plan/variants.hpp"
#include "kernels/equal.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::plan {
namespace {

const LibraryCapabilities kCapabilities{.algorithms = {{Collective::allreduce, "ring", 4},
                                                       {Collective::allreduce, "segmented_ring", 5},
                                                       {Collective::allreduce, "quantum", 9},
                                                       {Collective::bcast, "chain", 2}}};

Sweep sweep_of(std::vector<std::string> algorithms) {
  Sweep sweep;
  sweep.machine = "openmpi";
  sweep.collectives = {Collective::allreduce};
  sweep.algorithms = std::move(algorithms);
  sweep.procs = {4};
  sweep.messages = {{8}, {65536}};
  sweep.launches = 1;
  return sweep;
}

/// The candidates at a size, "openmpi:allreduce/ring" and so on.
std::vector<std::string> candidates(const SweepPlan& plan, Bytes message) {
  std::vector<std::string> found;
  for (const Case& what : plan.launches.at(0).cases) {
    if (what.message == message) found.push_back(algorithm_text(what));
  }
  return found;
}

using Names = std::vector<std::string>;

/// The candidates of 8 B at each p, with the p.
Names measured_at_each_procs(const SweepPlan& plan) {
  Names found;
  for (const PlannedLaunch& launch : plan.launches) {
    for (const Case& what : launch.cases) {
      if (what.message != Bytes{8}) continue;
      found.push_back(algorithm_text(what));
      found.push_back("p = " + std::to_string(what.procs));
    }
  }
  return found;
}

TEST(Candidates, AreSkippedWhereAModelHasNoTime) {
  Sweep sweep = sweep_of({});
  sweep.machine = "postal:alpha=1e-6,beta=1e-9,gamma=0";
  sweep.collectives = {Collective::bcast};
  sweep.procs = {513};  // the source states powers of two
  const SweepPlan plan = make_plan(sweep, MachineKind::model);
  EXPECT_TRUE(plan.skipped.contains(
      {"more than the 262144 messages and local steps that are simulated, and no formula is known",
       "bcast/scatter_ring"}));
  const Names measured = candidates(plan, {8});
  EXPECT_EQ(std::ranges::count(measured, "bcast/scatter_ring"), 0);
  EXPECT_EQ(std::ranges::count(measured, "bcast/binomial"), 1);
}

TEST(Candidates, ThatModelsMakeWorthTryingDoNotVanishByWhatPrunes) {
  Sweep sweep = sweep_of({"breakeven"});
  sweep.collectives = {Collective::bcast};
  sweep.messages = {{8}, {1 << 20}};
  const auto segments = [&] {
    return candidates(make_plan(sweep, MachineKind::library, kCapabilities), {8});
  };
  const Names whole = segments();
  EXPECT_GT(whole.size(), 3);                        // binomial:segments=... among them
  sweep.prune_by = "postal:alpha=1,beta=0,gamma=0";  // no segments pay there
  EXPECT_EQ(segments(), whole);
}

TEST(Candidates, OfTheLibraryAreSkippedWhereTheyWouldNotRunAsNamed) {
  const SweepPlan plan =
      make_plan(sweep_of({"native", "library"}), MachineKind::library, kCapabilities);
  // Nothing is known of the quantum.
  EXPECT_EQ(candidates(plan, {8}), (Names{"allreduce/native", "openmpi:allreduce/quantum"}));
  EXPECT_EQ(candidates(plan, {65536}), (Names{"allreduce/native", "openmpi:allreduce/ring",
                                              "openmpi:allreduce/segmented_ring:segment_bytes=1024",
                                              "openmpi:allreduce/segmented_ring:segment_bytes=8192",
                                              "openmpi:allreduce/quantum"}));
  EXPECT_TRUE(plan.skipped.contains(
      {"needs at least p elements, at some sizes", "openmpi:allreduce/ring"}));
}

TEST(Candidates, WithEqualSchedulesAreOneOfThoseAskedFor) {
  const SweepPlan plan =
      make_plan(sweep_of({"ring", "elimination_21", "recursive_multiplying:stages=a2,a2",
                          "reduce_bcast", "hierarchical", "ring:reorder_ranks=rr"}),
                MachineKind::library, kCapabilities);
  EXPECT_EQ(candidates(plan, {8}),
            (Names{"allreduce/ring", "allreduce/reduce_bcast", "allreduce/elimination_21"}));
  EXPECT_EQ(skipped_lines(plan.skipped),
            Names{"skipped at p = 4, identical: allreduce/hierarchical = reduce_bcast, "
                  "allreduce/recursive_multiplying:stages=a2,a2 = elimination_21, "
                  "allreduce/ring:reorder_ranks=rr = ring"});
}

TEST(Candidates, WithEqualSchedulesAndParametersAloneKeepThem) {
  const SweepPlan plan = make_plan(sweep_of({"ring:reorder_ranks=rr"}), MachineKind::library, {});
  EXPECT_EQ(candidates(plan, {8}), Names{"allreduce/ring:reorder_ranks=rr"});
  EXPECT_TRUE(plan.skipped.empty());
}

TEST(Candidates, OfTheLibraryAreSkippedWithCountsWithWhichTheyWouldNotRunAsNamed) {
  Sweep sweep = sweep_of({"native", "library"});
  sweep.machine = "mpich";
  sweep.collectives = {Collective::reduce_scatter};
  const LibraryCapabilities capabilities{
      .algorithms = {{Collective::reduce_scatter, "noncommutative"}}};
  const SweepPlan plan = make_plan(sweep, MachineKind::library, capabilities);
  for (const Case& what : plan.launches.at(0).cases) {
    EXPECT_TRUE(what.variant.is<Native>() || what.counts == Counts::equal) << to_text(what);
  }
  EXPECT_EQ(plan.launches.at(0).cases.size(), 2U * 2 + 2);  // native, and it at two sizes
  EXPECT_TRUE(plan.skipped.contains({"needs p a power of two, and equal counts, with some counts",
                                     "mpich:reduce_scatter/noncommutative"}));
}

TEST(Candidates, AreAllUnlessAGroupIsAskedFor) {
  const auto has = [](const SweepPlan& plan, const char* name) {
    const auto names = candidates(plan, {65536});
    return std::ranges::find(names, name) != names.end();
  };
  const SweepPlan all = make_plan(sweep_of({}), MachineKind::library, kCapabilities);
  EXPECT_TRUE(has(all, "allreduce/native") && has(all, "allreduce/ring") &&
              has(all, "openmpi:allreduce/ring"));
  const SweepPlan ours = make_plan(sweep_of({"breakeven"}), MachineKind::library, kCapabilities);
  EXPECT_TRUE(has(ours, "allreduce/ring"));
  EXPECT_FALSE(has(ours, "allreduce/native") || has(ours, "openmpi:allreduce/ring"));
}

TEST(Candidates, OfTheLibraryAskedForByNameHaveTheParametersGiven) {
  const SweepPlan plan = make_plan(sweep_of({"openmpi:segmented_ring:segment_bytes=4096"}),
                                   MachineKind::library, kCapabilities);
  EXPECT_EQ(candidates(plan, {65536}),
            Names{"openmpi:allreduce/segmented_ring:segment_bytes=4096"});
}

std::string refused(const std::vector<std::string>& algorithms,
                    const LibraryCapabilities& capabilities = kCapabilities) {
  try {
    static_cast<void>(make_plan(sweep_of(algorithms), MachineKind::library, capabilities));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "taken";
}

TEST(Candidates, AskedForByNameThatCanNotRunAreRefused) {
  EXPECT_EQ(refused({"openmpi:quantum:radix=2"}),
            "openmpi:allreduce/quantum takes no parameters that are known; asked for p = 4");
  EXPECT_EQ(refused({"openmpi:chain"}),
            "in this sweep's collectives there is no library algorithm 'chain'; known: "
            "openmpi:allreduce/ring openmpi:allreduce/segmented_ring openmpi:allreduce/quantum");
  EXPECT_EQ(refused({"mpich:nb"}), "an algorithm of mpich asked for, but the machine is 'openmpi'");
  EXPECT_EQ(refused({"library:x=1"}),
            "'library' asked for with parameters; it names many algorithms");
}

TEST(Candidates, AskedForByNameAreSkippedWhereTheyCanNotRunIfTheyCanSomewhere) {
  Sweep sweep = sweep_of({"recursive_multiplying:stages=a4,a2", "ring"});
  sweep.procs = {4, 8, 12};
  const SweepPlan plan = make_plan(sweep, MachineKind::library, kCapabilities);
  EXPECT_EQ(plan.skipped, (Skips{{{"needs any p; stages, if given, that make p",
                                   "allreduce/recursive_multiplying:stages=a4,a2"},
                                  {4, 12}}}));
  sweep.procs = {4, 12};
  EXPECT_THROW(static_cast<void>(make_plan(sweep, MachineKind::library, kCapabilities)),
               UsageError);
}

TEST(Candidates, AreAFewVariantsOfAnAlgorithmWithoutBeingAskedFor) {
  Sweep sweep = sweep_of({"breakeven"});
  sweep.messages.clear();
  for (std::int64_t bytes = 8; bytes <= 1 << 20; bytes *= 2) sweep.messages.push_back({bytes});
  for (const int procs : {2, 3, 4, 8, 64}) {
    sweep.procs = {procs};
    const kernels::Problem problem{.collective = Collective::allreduce, .procs = procs};
    std::vector<kernels::Instance> variants = kernels::plain_variants(problem);
    const std::size_t plain = kernels::EqualSchedules{problem}.groups(variants).size();
    std::vector<Case> sizes;
    for (const Bytes message : sweep.messages) {
      sizes.push_back({.collective = problem.collective,
                       .procs = procs,
                       .procs_per_node = procs,
                       .message = message,
                       .datatype = sweep.datatype,
                       .op = sweep.op});
    }
    for (const kernels::Instance& each : std::vector{variants}) {
      for (const std::string& params : worth_trying(*each.algorithm, sizes, sweep.reorder_ranks)) {
        variants.push_back({each.algorithm, kernels::Params::parse(params)});
      }
    }
    const std::size_t all = candidates(make_plan(sweep, MachineKind::model), {8}).size();
    EXPECT_EQ(all, kernels::EqualSchedules{problem}.groups(variants).size()) << procs;
    EXPECT_GT(all, plain) << procs;
    EXPECT_LE(all, plain + plain / 2) << procs;
  }
  const SweepPlan plan = make_plan(sweep, MachineKind::model);
  const Names names = candidates(plan, {8});
  for (const char* name : {"allreduce/recursive_multiplying",  // a8,a8
                           "allreduce/recursive_multiplying:stages=a4,a4,a4"}) {
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  }
  for (const auto& [skip, procs] : plan.skipped) {  // nobody asked for variants
    EXPECT_EQ(skip.what.find(':'), std::string::npos) << skip.what;
  }
}

TEST(Candidates, AskedForByASetOfValuesAreThose) {
  Sweep sweep = sweep_of({"recursive_multiplying:stages=factored", "recursive_doubling"});
  sweep.procs = {1, 4};
  const SweepPlan plan = make_plan(sweep, MachineKind::library, kCapabilities);
  EXPECT_EQ(measured_at_each_procs(plan),
            (Names{"allreduce/recursive_doubling", "p = 1", "allreduce/recursive_doubling", "p = 4",
                   "allreduce/recursive_multiplying:stages=a4", "p = 4"}));
  EXPECT_EQ(
      plan.skipped,
      (Skips{
          {{"needs values that it lists at p", "allreduce/recursive_multiplying:stages=factored"},
           {1}},
          {{"identical", "allreduce/recursive_multiplying:stages=a2,a2 = recursive_doubling"},
           {4}}}));
  sweep.procs = {1};
  EXPECT_THROW(static_cast<void>(make_plan(sweep, MachineKind::library, kCapabilities)),
               UsageError);
}

TEST(Candidates, BeyondThoseThatModelsRankFirstAreSkippedByNumber) {
  Sweep sweep = sweep_of({"recursive_multiplying:best=1"});
  sweep.procs = {4};
  const SweepPlan plan = make_plan(sweep, MachineKind::library, kCapabilities);
  EXPECT_EQ(candidates(plan, {8}).size(), 1U);
  EXPECT_EQ(plan.skipped, (Skips{{{"ranked behind the others by models",
                                   "6 of 7 of allreduce/recursive_multiplying:best=1"},
                                  {4}}}));
}

TEST(Candidates, OfALibraryInWhichNobodyCanChooseAreSkippedWithTheReason) {
  LibraryCapabilities hindered = kCapabilities;
  hindered.note = "another component runs";
  const SweepPlan plan = make_plan(sweep_of({}), MachineKind::library, hindered);
  EXPECT_TRUE(plan.skipped.contains({"another component runs", "the library's own algorithms"}));
  EXPECT_EQ(refused({"library"}, hindered),
            "the library's own algorithms asked for, but another component runs");
}

TEST(Candidates, MockUpsAreThoseAskedForThatServeTheCounts) {
  Sweep sweep = sweep_of({"native", "mock_ups"});
  Names expected;
  for (const mock_ups::MockUp& each : mock_ups::catalogue()) {
    if (each.collective != Collective::allreduce || each.form != CallForm::blocking) continue;
    expected.push_back(fmt::format("native:allreduce/{}", each.terms));
  }
  expected.emplace_back("allreduce/native");
  EXPECT_GT(expected.size(), 3U);
  EXPECT_EQ(candidates(make_plan(sweep, MachineKind::library), {8}), expected);
  sweep.algorithms = {"native:allreduce/reduce+bcast"};
  EXPECT_EQ(candidates(make_plan(sweep, MachineKind::library), {8}), sweep.algorithms);
  sweep.algorithms = {"native:allreduce/alltoall"};
  EXPECT_THROW(static_cast<void>(make_plan(sweep, MachineKind::library)), UsageError);
  sweep.collectives = {Collective::reduce_scatter};
  sweep.algorithms = {"native:reduce_scatter/reduce"};
  sweep.counts = {Counts::equal, Counts::root};
  const SweepPlan plan = make_plan(sweep, MachineKind::library);
  for (const Case& what : plan.launches.at(0).cases) EXPECT_EQ(what.counts, Counts::root);
  sweep.algorithms = {"mock_ups"};
  EXPECT_THROW(static_cast<void>(make_plan(sweep, MachineKind::model)), UsageError);
}

TEST(Candidates, HaveTheFormAskedFor) {
  Sweep sweep = sweep_of({"native", "ring", "mock_ups"});
  sweep.forms = {CallForm::nonblocking};
  const SweepPlan plan = make_plan(sweep, MachineKind::library);
  EXPECT_EQ(candidates(plan, {8}),
            (Names{"native:allreduce/blocking", "allreduce/native", "allreduce/ring"}));
  for (const Case& what : plan.launches.at(0).cases) EXPECT_EQ(what.form, CallForm::nonblocking);
  sweep.algorithms = {"ring"};
  EXPECT_THROW(static_cast<void>(make_plan(sweep, MachineKind::model)), UsageError);
}

}  // namespace
}  // namespace breakeven::plan
