// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/library_algorithm.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "core/error.hpp"

namespace breakeven::libraries {
namespace {

Case allreduce(const std::string& algorithm, int procs, std::int64_t bytes,
               const std::string& params = "") {
  return {.variant = Variant::of(algorithm, params),
          .procs = procs,
          .nodes = 1,
          .procs_per_node = procs,
          .message = {bytes},
          .datatype = Datatype::double_,
          .op = Op::sum};
}

TEST(KnownLibraries, NameEachAlgorithmOfACollectiveOnce) {
  for (const KnownLibrary& library : known_libraries()) {
    std::set<std::pair<Collective, std::string_view>> names;
    for (const LibraryAlgorithm& each : library.algorithms) {
      EXPECT_TRUE(names.emplace(each.collective, each.name).second) << each.name;
    }
  }
}

TEST(Refusal, SaysWhatARingNeeds) {
  EXPECT_EQ(refusal(allreduce("openmpi:ring", 4, 24)), "needs at least p elements");
  EXPECT_EQ(refusal(allreduce("openmpi:ring", 4, 32)), std::nullopt);
}

TEST(Refusal, LooksAtTheCounts) {
  Case what = allreduce("mpich:noncommutative", 4, 64);
  what.collective = Collective::reduce_scatter;
  EXPECT_EQ(refusal(what), std::nullopt);
  what.counts = Counts::linear;
  EXPECT_EQ(refusal(what), "needs p a power of two, and equal counts");
}

TEST(Refusal, OfASegmentedRingLooksAtItsSegments) {
  EXPECT_TRUE(refusal(allreduce("openmpi:segmented_ring", 2, 4096)));
  EXPECT_TRUE(refusal(allreduce("openmpi:segmented_ring", 2, 4096, "segment_bytes=4096")));
  EXPECT_FALSE(refusal(allreduce("openmpi:segmented_ring", 2, 4096, "segment_bytes=2048")));
}

TEST(Refusal, OfAnAlgorithmThatNobodyKnowsIsNoneButATableSkipsIt) {
  const Case quantum = allreduce("openmpi:quantum", 4, 1024);
  EXPECT_EQ(refusal(quantum), std::nullopt);
  EXPECT_FALSE(is_safe(quantum, {}));
  EXPECT_TRUE(is_safe(quantum, {"openmpi:allreduce/quantum"}));
  EXPECT_EQ(harm_of(unguarded(quantum)), "may do harm for kinds of calls that are not known");
}

TEST(Refusal, NamesAParameterThatIsNotTaken) {
  EXPECT_THROW((void)refusal(allreduce("openmpi:ring", 4, 1024, "segment_bytes=8")), UsageError);
  EXPECT_THROW((void)refusal(allreduce("openmpi:segmented_ring", 4, 1024, "segment_bytes=x")),
               UsageError);
}

TEST(Variants, OfAPipelineAreSegmentsThatFit) {
  Case what = allreduce("openmpi:pipeline", 4, 16384);
  what.collective = Collective::bcast;
  EXPECT_EQ(library_variants(what),
            (std::vector<std::string>{"", "segment_bytes=1024", "segment_bytes=8192"}));
  EXPECT_EQ(library_variants(allreduce("openmpi:ring", 4, 16384)), std::vector<std::string>{""});
}

TEST(Variants, LeaveOutWhatIsTakenWithoutParameters) {
  Case what = allreduce("openmpi:chain", 16, 8);
  what.collective = Collective::bcast;
  EXPECT_EQ(library_variants(what), (std::vector<std::string>{"", "fanout=2", "fanout=8"}));
}

/// Tables become ranges of sizes by bisection, which rests on this.
TEST(Refusal, BeginsOrEndsAtOneSizeAlone) {
  for (const KnownLibrary& library : known_libraries()) {
    for (const LibraryAlgorithm& each : library.algorithms) {
      for (const auto& [procs, nodes] :
           {std::pair{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {7, 1}, {8, 2}, {16, 4}, {100, 10}}) {
        Case what = allreduce(std::string{library.name} + ':' + std::string{each.name}, procs, 0);
        what.nodes = nodes;
        what.procs_per_node = procs / nodes;
        what.collective = each.collective;
        what.message = {1 << 20};
        for (const std::string& params : library_variants(what)) {
          what.variant = what.variant.with_params(params);
          what.message = {0};
          bool refused = refusal(what).has_value();
          int changes = 0;
          for (std::int64_t bytes = 0; bytes < 1 << 24; bytes += 8 + bytes / 64 / 8 * 8) {
            what.message = {bytes};
            if (std::exchange(refused, refusal(what).has_value()) != refused) ++changes;
          }
          EXPECT_LE(changes, 1) << to_text(what);
        }
      }
    }
  }
}

TEST(Variants, OfAnExchangeGoUpToOneRound) {
  Case what = allreduce("mpich:recexch", 8, 8);
  EXPECT_EQ(library_variants(what), (std::vector<std::string>{"", "radix=4", "radix=8"}));
  what.variant = LibraryOwn{"mpich", "tree"};
  what.collective = Collective::bcast;
  EXPECT_EQ(library_variants(what), (std::vector<std::string>{"", "radix=4"}));
}

TEST(Variants, OfSegmentsLeaveOutTheUsualOne) {
  Case what = allreduce("mpich:pipelined_tree", 2, 1 << 20);
  what.collective = Collective::bcast;
  EXPECT_EQ(library_variants(what),
            (std::vector<std::string>{"", "segment_bytes=1024", "segment_bytes=65536"}));
}

TEST(Refusal, OfHanLooksAtTheNodes) {
  const auto on = [](Collective collective, int procs, int nodes, int each) {
    Case what = allreduce("openmpi:han_simple", procs, 8);
    what.collective = collective;
    what.nodes = nodes;
    what.procs_per_node = each;
    return refusal(what).value_or("");
  };
  EXPECT_EQ(on(Collective::allreduce, 4, 2, 2), "");
  EXPECT_EQ(on(Collective::bcast, 4, 2, 2), "");
  EXPECT_EQ(on(Collective::allreduce, 4, 1, 4),
            "needs several nodes, and several processes on some of them");
  EXPECT_NE(on(Collective::allreduce, 2, 2, 1), "");
  EXPECT_NE(on(Collective::bcast, 2, 2, 1), "");
  EXPECT_EQ(on(Collective::barrier, 3, 2, 2), "") << "two processes and one";
  EXPECT_EQ(on(Collective::bcast, 3, 2, 2),
            "needs several nodes, and equally many processes on each, more than one");
}

std::vector<Demand> unguarded_of(Collective collective, std::string_view variant) {
  std::vector<Demand> demands;
  for (const Requirement& each :
       unguarded(with_variant({.collective = collective}, Variant::parse(variant)))) {
    demands.push_back(each.demand);
  }
  return demands;
}

TEST(Requirements, OpenMpisRulesCanAskForNone) {
  EXPECT_EQ(unguarded_of(Collective::reduce, "openmpi:chain"), std::vector{Demand::commuting});
  EXPECT_TRUE(unguarded_of(Collective::reduce, "openmpi:in-order_binary").empty());
  EXPECT_EQ(unguarded_of(Collective::alltoall, "openmpi:modified_bruck"),
            (std::vector{Demand::types_without_gaps, Demand::not_below}));
  EXPECT_EQ(unguarded_of(Collective::allgather, "openmpi:sparbit"),
            (std::vector{Demand::same_counts, Demand::not_in_place}));
  EXPECT_EQ(unguarded_of(Collective::allgatherv, "openmpi:sparbit"),
            std::vector{Demand::same_counts});
}

TEST(Requirements, MayBeOfAParameterAlone) {
  EXPECT_TRUE(unguarded_of(Collective::bcast, "openmpi:chain:fanout=2").empty());
  EXPECT_EQ(unguarded_of(Collective::bcast, "openmpi:chain:segment_bytes=1024"),
            std::vector{Demand::same_types});
}

TEST(Requirements, MpichsTreesCanAskForSome) {
  using enum Collective;
  EXPECT_TRUE(unguarded_of(reduce_scatter, "mpich:recursive_halving").empty());
  EXPECT_TRUE(unguarded_of(allreduce, "mpich:reduce_scatter_allgather").empty());
  EXPECT_TRUE(unguarded_of(alltoallw, "mpich:nb").empty());
  EXPECT_EQ(unguarded_of(reduce_scatter, "mpich:pairwise"), std::vector{Demand::not_in_place});
  EXPECT_EQ(unguarded_of(reduce_scatter, "mpich:noncommutative"),
            std::vector{Demand::types_without_gaps});
  EXPECT_EQ(unguarded_of(bcast, "mpich:nb"), std::vector{Demand::no_idup});
}

TEST(Requirements, SaySafeWhatHarmsNoneOrIsAllowed) {
  const Case chain =
      with_variant({.collective = Collective::reduce}, Variant::parse("openmpi:chain:fanout=2"));
  EXPECT_FALSE(is_safe(chain, {}));
  EXPECT_TRUE(is_safe(chain, {"openmpi:reduce/chain"}));
  EXPECT_TRUE(is_safe({.variant = Ours{"ring"}}, {}));
  EXPECT_EQ(harm_of(unguarded(chain)), "wrong results for operations that do not commute");
}

}  // namespace
}  // namespace breakeven::libraries
