// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "tables/formats/mpich/names.hpp"
#include "tables/formats/mpich/testing.hpp"

namespace breakeven::formats {
namespace {

using mpich::Call;
using mpich::Hierarchy;
using testing::leaf_for;
using testing::library_table;
using testing::mpich_provenance;
using testing::mpich_rule;
using testing::mpich_table;
using testing::tree_of;
using testing::variants_of;

mpich::Chain mpir_tree(const tables::Table& table) {
  return tree_of(mpich::emit_json(table, mpich_provenance()).text);
}
mpich::Chain ch4_part(const tables::Table& table) {
  return tree_of(mpich::emit_ch4_json(table, mpich_provenance()).text);
}
mpich::Chain own_tree() { return tree_of(testing::testdata("mpich-4.0.2-mpir.json")); }

/// A call of `count` ints on one node.
Call json_call(std::string collective, int procs, std::int64_t count) {
  return {.collective = std::move(collective),
          .procs = procs,
          .hierarchy = Hierarchy::parent,
          .node_consecutive = true,
          .count = count,
          .extent = 4};
}

tables::Table everywhere(Collective collective, const std::string& algorithm) {
  return library_table({mpich_rule(collective, algorithm, 2, 4),
                        mpich_rule(collective, algorithm, 4, 4),
                        mpich_rule(collective, algorithm, 8, 4)});
}

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "\n"));
}

/// Whether Emitted::degraded says that the file answers otherwise there.
bool degraded_there(const Case& problem) {
  if (problem.collective == Collective::gather && problem.procs >= 3) return true;
  return problem.collective == Collective::allreduce && problem.procs >= 6 && problem.nodes != 2;
}

/// Compares a file with the table at every p up to 10 and many sizes, on one node, two and p.
void expect_answers_of_the_table(Emitted (*emit)(const tables::Table&, const tables::Provenance&),
                                 ReadTable (*reader)(std::string_view),
                                 std::string (*of)(const std::string& algorithm)) {
  const tables::Table table = mpich_table();
  const tables::Provenance provenance = mpich_provenance();  // read from files
  const ReadTable read = reader(emit(table, provenance).text);
  ASSERT_TRUE(read.faults.empty()) << read.faults.front().reason;
  int compared = 0;
  for (const auto& collective : kCollectives.entries) {
    for (int procs = 1; procs <= 10; ++procs) {
      for (const int nodes : {1, 2, procs}) {
        if (procs % nodes != 0) continue;
        for (const Mapping& mapping : {Mapping::seq, Mapping::rr}) {
          const bool one_mapping = nodes == 1 || nodes == procs;
          if (one_mapping && mapping != Mapping::seq) continue;
          for (std::int64_t bytes = 0; bytes <= 20000; bytes = bytes * 9 / 8 + 4) {
            Case problem{.collective = collective.value,
                         .procs = procs,
                         .nodes = nodes,
                         .procs_per_node = procs / nodes,
                         .mapping = mapping,
                         .message = {bytes / 4 * 4}};
            if (degraded_there(problem)) continue;
            const tables::Choice choice = table.choose(problem);
            const std::string answer = variants_of(read)(problem);
            const bool asked = nodes < procs && !choice.variant.is<Native>();  // none is flat
            const std::string wanted =
                asked ? of(choice.variant.algorithm()) : std::string{kNative};
            const bool fits = testing::choices_nearby(table, problem).contains(answer) ||
                              (answer == "mpich:flat" && wanted == kNative &&
                               testing::flat_anyway(provenance, problem));
            if (wanted != answer && fits) continue;
            ASSERT_EQ(answer, wanted)
                << collective.name << " p=" << procs << " nodes=" << nodes << " "
                << to_text(mapping) << " " << problem.message.value << " B";
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 10000);
}

TEST(MpichJson, AnswersAsTheTableDoesOnADenseGrid) {
  expect_answers_of_the_table(mpich::emit_json, mpich::read_json,
                              [](const std::string& algorithm) { return algorithm; });
}
TEST(MpichJson, AnswersAsTheTableDoesOnADenseGridInTheDevicesFile) {
  expect_answers_of_the_table(mpich::emit_ch4_json, mpich::read_ch4_json,
                              [](const std::string&) { return std::string{"mpich:flat"}; });
}

TEST(MpichJson, IsTheGoldenText) {
  const Emitted emitted = mpich::emit_json(mpich_table(), mpich_provenance());
  testing::expect_golden("mpich_coll", emitted.text);
}
TEST(MpichJson, IsTheGoldenTextInTheDevicesFile) {
  const Emitted emitted = mpich::emit_ch4_json(mpich_table(), mpich_provenance());
  testing::expect_golden("mpich_ch4_coll", emitted.text);
}

TEST(MpichJson, SaysWhatItCannotSayAlsoInTheFile) {
  const Emitted emitted = mpich::emit_json(mpich_table(), mpich_provenance());
  ASSERT_EQ(emitted.degraded.size(), 6U) << joined(emitted.degraded);
  for (const std::string& line : emitted.degraded) {
    EXPECT_NE(emitted.text.find(" *   " + line + "\n"), std::string::npos) << line;
  }
}

// The hazards of MPICH's selection trees, one test each.

TEST(MpichHazard, FileReplacesTheWholeTree) {
  const tables::Table table = mpich_table();
  const mpich::Chain own = own_tree();
  const mpich::Chain tree = mpir_tree(table);
  ASSERT_EQ(tree.size(), own.size());
  int changed = 0;
  for (std::size_t index = 0; index < own.size(); ++index) {
    EXPECT_EQ(tree[index].key, own[index].key);
    const bool chosen = std::ranges::any_of(table.rules, [&](const tables::Rule& rule) {
      return own[index].key ==
                 fmt::format("collective={}", kCollectives.of(rule.what.collective)) &&
             !rule.what.variant.is<Native>();
    });
    EXPECT_EQ(tree[index] != own[index], chosen) << own[index].key;
    changed += chosen ? 1 : 0;
  }
  EXPECT_EQ(changed, 12);
}

TEST(MpichHazard, UsersOperationKeepsTheOwnAlgorithmWhereABuiltInOneIsNeeded) {
  const mpich::Chain tree =
      mpir_tree(everywhere(Collective::allreduce, "reduce_scatter_allgather"));
  Call large = json_call("allreduce", 4, 1 << 20);
  EXPECT_EQ(leaf_for(tree, large), "algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather");
  large.built_in = false;
  EXPECT_EQ(leaf_for(tree, large), "algorithm=MPIR_Allreduce_intra_recursive_doubling");
}

TEST(MpichHazard, FewerElementsThanThePowerOfTwoKeepTheOwnAlgorithm) {
  // Of elements that are larger than those measured there are fewer in the same bytes.
  const mpich::Chain tree = mpir_tree(everywhere(Collective::reduce, "reduce_scatter_gather"));
  Call few = json_call("reduce", 4, 3);
  few.extent = 1024;
  EXPECT_EQ(leaf_for(tree, few), "algorithm=MPIR_Reduce_intra_binomial");
  few.count = 4;
  EXPECT_EQ(leaf_for(tree, few), "algorithm=MPIR_Reduce_intra_reduce_scatter_gather");
}

TEST(MpichHazard, OperationThatDoesNotCommuteKeepsTheOwnAlgorithm) {
  for (const auto& [collective, algorithm] :
       {std::pair{Collective::reduce_scatter, "pairwise"},
        std::pair{Collective::reduce_scatter, "recursive_halving"},
        std::pair{Collective::reduce_scatter_block, "pairwise"},
        std::pair{Collective::reduce_scatter_block, "recursive_halving"}}) {
    const mpich::Chain tree = mpir_tree(everywhere(collective, algorithm));
    Call plain = json_call(std::string{kCollectives.of(collective)}, 4, 16);
    EXPECT_TRUE(leaf_for(tree, plain).ends_with(algorithm));
    plain.commutative = false;
    plain.built_in = false;
    EXPECT_EQ(leaf_for(tree, plain), leaf_for(own_tree(), plain));
    EXPECT_FALSE(leaf_for(tree, plain).ends_with(algorithm));
  }
}

TEST(MpichHazard, AlgorithmForPowersOfTwoIsAskedForThemAlone) {
  const mpich::Chain tree = mpir_tree(everywhere(Collective::allgather, "recursive_doubling"));
  for (int procs = 2; procs <= 8; ++procs) {
    const bool power = procs == 2 || procs == 4 || procs == 8;
    EXPECT_EQ(leaf_for(tree, json_call("allgather", procs, 1 << 20)),
              power ? "algorithm=MPIR_Allgather_intra_recursive_doubling"
                    : "algorithm=MPIR_Allgather_intra_ring")
        << procs;
  }
  const std::string text =
      mpich::emit_json(everywhere(Collective::allgather, "recursive_doubling"), mpich_provenance())
          .text;
  EXPECT_TRUE(mpich::read_json(text).faults.empty()) << mpich::read_json(text).faults[0].reason;
}

TEST(MpichHazard, AlgorithmOfLevelsThatWasMeasuredOnOneNodeIsForOneNode) {
  const mpich::Chain tree =
      mpir_tree(library_table({mpich_rule(Collective::allreduce, "smp", 4, 8, Mapping::seq, 1)}));
  Call one = json_call("allreduce", 4, 16);
  one.nodes = 1;
  EXPECT_EQ(leaf_for(tree, one), "algorithm=MPIR_Allreduce_intra_smp");
}

TEST(MpichHazard, AlgorithmForSeveralNodesIsNotForOneNorForOneProcessOnEach) {
  tables::Table table =
      library_table({mpich_rule(Collective::allreduce, "smp", 4, 8, Mapping::seq, 2)});
  const mpich::Chain tree = mpir_tree(table);
  Call many = json_call("allreduce", 4, 16);
  many.nodes = 2;
  EXPECT_EQ(leaf_for(tree, many), "algorithm=MPIR_Allreduce_intra_smp");
  Call user = many;
  user.commutative = user.built_in = false;
  EXPECT_NE(leaf_for(tree, user), "algorithm=MPIR_Allreduce_intra_smp");
  Call one = many;
  one.nodes = 1;
  EXPECT_NE(leaf_for(tree, one), "algorithm=MPIR_Allreduce_intra_smp");
  Call flat = many;
  flat.nodes = 4;
  flat.hierarchy = Hierarchy::flat;
  flat.node_consecutive = false;
  EXPECT_NE(leaf_for(tree, flat), "algorithm=MPIR_Allreduce_intra_smp");
}

TEST(MpichHazard, CommunicatorsThatTheLibraryMakesKeepTheOwnTree) {
  const mpich::Chain tree = mpir_tree(mpich_table());
  const mpich::Chain own = own_tree();
  for (const Hierarchy hierarchy : {Hierarchy::node, Hierarchy::node_roots}) {
    for (int procs = 2; procs <= 8; ++procs) {
      for (const std::string_view collective : {"allgather", "allreduce", "barrier", "bcast"}) {
        Call inner = json_call(std::string{collective}, procs, 4096);
        inner.hierarchy = hierarchy;
        inner.node_consecutive = false;
        EXPECT_EQ(leaf_for(tree, inner), leaf_for(own, inner)) << collective << procs;
      }
    }
  }
}

TEST(MpichHazard, BetweenGroupsTheOwnTreeRemains) {
  const mpich::Chain tree = mpir_tree(mpich_table());
  for (const std::string_view collective : {"allreduce", "bcast", "gatherv", "barrier"}) {
    Call between = json_call(std::string{collective}, 4, 4096);
    between.between_groups = true;
    EXPECT_EQ(leaf_for(tree, between), leaf_for(own_tree(), between)) << collective;
    EXPECT_NE(leaf_for(tree, between), "");
  }
}

TEST(MpichHazard, OutsideTheMeasuredProcessesTheOwnTreeRemains) {
  for (const auto& [collective, algorithm] :
       {std::pair{Collective::alltoall, "nb"}, std::pair{Collective::bcast, "nb"},
        std::pair{Collective::scan, "nb"}}) {
    const mpich::Chain tree = mpir_tree(everywhere(collective, algorithm));
    for (const int procs : {1, 9, 16, 1000}) {
      for (const int count : {1, 1 << 20}) {
        const Call outside = json_call(std::string{kCollectives.of(collective)}, procs, count);
        EXPECT_EQ(leaf_for(tree, outside), leaf_for(own_tree(), outside)) << procs;
      }
    }
  }
}

TEST(MpichHazard, LimitBelowAQuestionOfTheCallIsNoStrictOne) {
  // The library's tree for bcast asks "comm_size<8". Below a question about the call MPICH would
  // let 8 pass: with p = 8 and the library's own choice for small sizes that is what would happen.
  const tables::Table table = library_table({mpich_rule(Collective::bcast, "native", 7, 4),
                                             mpich_rule(Collective::bcast, "nb", 7, 256),
                                             mpich_rule(Collective::bcast, "native", 8, 4),
                                             mpich_rule(Collective::bcast, "nb", 8, 1 << 20)});
  const std::string text = mpich::emit_json(table, mpich_provenance()).text;
  Call eight = json_call("bcast", 8, 1 << 17);
  EXPECT_EQ(leaf_for(tree_of(text), eight), leaf_for(own_tree(), eight));
  const ReadTable read = mpich::read_json(text);
  EXPECT_TRUE(read.faults.empty()) << read.faults.front().reason;
}

TEST(MpichHazard, StrictLimitOfTheOwnTreeLetsItsNumberPassAsInTheLibrary) {
  // The library's tree for alltoall asks "comm_size<8" below a question about the call.
  const tables::Table table = library_table({mpich_rule(Collective::alltoall, "nb", 8, 64),
                                             mpich_rule(Collective::alltoall, "native", 8, 128),
                                             mpich_rule(Collective::alltoall, "nb", 8, 1 << 20)});
  const mpich::Chain tree = mpir_tree(table);
  const Call eight = json_call("alltoall", 8, 50);
  EXPECT_EQ(leaf_for(own_tree(), eight), "algorithm=MPIR_Alltoall_intra_scattered");
  EXPECT_EQ(leaf_for(tree, eight), leaf_for(own_tree(), eight));
}

TEST(MpichHazard, NumbersEndAtTheLargestInt) {
  const std::int64_t gib = std::int64_t{1} << 30;
  const tables::Table table = library_table({mpich_rule(Collective::allgather, "brucks", 4, 8),
                                             mpich_rule(Collective::allgather, "ring", 4, gib)});
  const Emitted emitted = mpich::emit_json(table, mpich_provenance());
  EXPECT_EQ(emitted.text.find("4294967295"), std::string::npos);
  const mpich::Chain tree = tree_of(emitted.text);
  EXPECT_EQ(leaf_for(tree, json_call("allgather", 4, 1024)),
            "algorithm=MPIR_Allgather_intra_brucks");
  EXPECT_EQ(leaf_for(tree, json_call("allgather", 4, gib / 4)),
            "algorithm=MPIR_Allgather_intra_ring");
  EXPECT_NE(joined(emitted.degraded).find("2147483647"), std::string::npos);
  EXPECT_TRUE(mpich::read_json(emitted.text).faults.empty());
}

TEST(MpichHazard, SizesAreInTheUnitOfTheCollective) {
  const auto last_small = [](Collective collective, const char* small, const char* large) {
    const mpich::Chain tree = mpir_tree(library_table(
        {mpich_rule(collective, small, 4, 8), mpich_rule(collective, large, 4, 1024)}));
    int count = 4;
    while (leaf_for(tree, json_call(std::string{kCollectives.of(collective)}, 4, count + 1))
               .ends_with(small)) {
      ++count;
    }
    return count;
  };
  // In ints: all are 1024 bytes of what MPI's count argument describes, less one element.
  EXPECT_EQ(last_small(Collective::allreduce, "recursive_doubling", "nb"), 255);
  EXPECT_EQ(last_small(Collective::bcast, "binomial", "nb"), 255);
  EXPECT_EQ(last_small(Collective::reduce, "binomial", "nb"), 255);
  EXPECT_EQ(last_small(Collective::allgather, "brucks", "ring"), 255);
  EXPECT_EQ(last_small(Collective::alltoall, "brucks", "pairwise"), 255);
  EXPECT_EQ(last_small(Collective::allgatherv, "brucks", "ring"), 255);
  EXPECT_EQ(last_small(Collective::reduce_scatter, "pairwise", "nb"), 255);
  EXPECT_EQ(last_small(Collective::reduce_scatter_block, "pairwise", "nb"), 255);
}

TEST(MpichHazard, SizeIsNeverAskedWhereRanksMayMeanDifferentOnes) {
  using enum Collective;
  for (const Collective collective :
       {gather, scatter, gatherv, scatterv, alltoallv, alltoallw, scan, exscan}) {
    const tables::Table table =
        library_table({mpich_rule(collective, "native", 4, 8),
                       mpich_rule(collective, "nb", 4, 1024), mpich_rule(collective, "nb", 8, 8)});
    const Emitted emitted = mpich::emit_json(table, mpich_provenance());
    const mpich::Chain tree = tree_of(emitted.text);
    const std::string name{kCollectives.of(collective)};
    for (const int count : {1, 1 << 20}) {
      EXPECT_EQ(leaf_for(tree, json_call(name, 4, count)),
                leaf_for(own_tree(), json_call(name, 4, count)));
      EXPECT_TRUE(leaf_for(tree, json_call(name, 8, count)).ends_with("_allcomm_nb"));
    }
    EXPECT_NE(joined(emitted.degraded).find(name + " at p = 4"), std::string::npos);
  }
}

TEST(MpichHazard, ExchangeInPlaceKeepsTheOwnAlgorithmWhateverItsCountsSay) {
  // The counts that sizes are told by mean nothing there, and may differ from rank to rank.
  for (const Collective collective :
       {Collective::alltoall, Collective::alltoallv, Collective::alltoallw}) {
    const mpich::Chain tree = mpir_tree(library_table(
        {mpich_rule(collective, "scattered", 4, 8), mpich_rule(collective, "nb", 8, 8)}));
    const std::string name{kCollectives.of(collective)};
    EXPECT_TRUE(leaf_for(tree, json_call(name, 8, 16)).ends_with("_allcomm_nb"));
    for (const int procs : {4, 8}) {
      for (const int count : {0, 1, 1 << 20}) {
        Call in_place = json_call(name, procs, count);
        in_place.in_place = true;
        EXPECT_EQ(leaf_for(tree, in_place), leaf_for(own_tree(), in_place));
      }
    }
  }
}

TEST(MpichHazard, ScanByLevelsIsForRanksThatFillOneNodeAfterTheOther) {
  const mpich::Chain tree =
      mpir_tree(library_table({mpich_rule(Collective::scan, "smp", 4, 8, Mapping::seq, 2)}));
  Call filled = json_call("scan", 4, 16);
  filled.nodes = 2;
  EXPECT_EQ(leaf_for(tree, filled), "algorithm=MPIR_Scan_intra_smp");
  Call dealt = filled;
  dealt.node_consecutive = false;
  EXPECT_EQ(leaf_for(tree, dealt), "algorithm=MPIR_Scan_intra_recursive_doubling");
  Call flat = dealt;
  flat.nodes = 4;
  flat.hierarchy = Hierarchy::flat;
  EXPECT_EQ(leaf_for(tree, flat), "algorithm=MPIR_Scan_intra_recursive_doubling");
}

TEST(MpichHazard, DeviceHandsOverExactlyWhereTheTableHasChosen) {
  const tables::Table table = mpich_table();
  const mpich::Chain tree = ch4_part(table);
  const mpich::Chain own = tree_of(testing::testdata("mpich-4.0.2-ch4.json"));
  ASSERT_EQ(tree.size(), own.size());  // one that is missing would lose its composition
  const auto compositions = [&](Call made) {
    return std::pair{leaf_for(tree, made), leaf_for(own, made)};
  };
  const std::string flat = "composition=MPIDI_Allreduce_intra_composition_beta";
  EXPECT_EQ(compositions(json_call("allreduce", 4, 16)).first, flat);
  const auto [native, default_one] = compositions(json_call("allreduce", 4, 600));
  EXPECT_EQ(native, default_one);
  EXPECT_NE(native, flat);
  EXPECT_EQ(compositions(json_call("bcast", 4, 16)).first,
            "composition=MPIDI_Bcast_intra_composition_gamma");
  EXPECT_EQ(compositions(json_call("bcast", 8, 16)).first,
            leaf_for(own, json_call("bcast", 8, 16)));
  EXPECT_EQ(compositions(json_call("barrier", 4, 0)).first,
            "composition=MPIDI_Barrier_intra_composition_beta");
}

TEST(MpichHazard, DeviceKeepsItsCompositionForOperationsThatTheAlgorithmCannotDo) {
  const mpich::Chain tree = ch4_part(everywhere(Collective::reduce, "reduce_scatter_gather"));
  const mpich::Chain own = tree_of(testing::testdata("mpich-4.0.2-ch4.json"));
  Call users = json_call("reduce", 4, 4096);
  EXPECT_NE(leaf_for(tree, users), leaf_for(own, users));
  users.built_in = false;
  EXPECT_EQ(leaf_for(tree, users), leaf_for(own, users));
}

TEST(MpichHazard, NoFileEndsWithAPage) {
  tables::Provenance provenance = mpich_provenance();
  const std::size_t size = mpich::emit_json(mpich_table(), provenance).text.size();
  const std::size_t missing = 4096 - size % 4096;
  provenance.database += std::string(missing, 'x');
  EXPECT_EQ(mpich::emit_json(mpich_table(), provenance).text.size(), size + missing + 1);
}

TEST(MpichHazard, WordsOfTheHeadStayInItsComment) {
  tables::Provenance odd = mpich_provenance();
  odd.machine.cpu = "*/ {} /* \"";
  const std::string text = mpich::emit_json(mpich_table(), odd).text;
  EXPECT_TRUE(mpich::read_json(text).faults.empty());
  EXPECT_NE(text.find("* / {} /* \""), std::string::npos);
}

TEST(MpichHazard, OtherVersionsAreRefused) {
  for (const std::string_view version :
       {"MPICH Version: 4.3.1", "MPICH Version: 5.0.1", "Open MPI v4.1.4", ""}) {
    tables::Provenance other = mpich_provenance();
    other.machine.library_version = version;
    EXPECT_THROW((void)mpich::emit_json(mpich_table(), other), UsageError) << version;
  }
}

TEST(MpichHazard, FileIsForItsVersionAlone) {
  // Made from a tree of 4.0, which has a barrier that 4.2 lost.
  std::string text = mpich::emit_json(mpich_table(), mpich_provenance()).text;
  text.replace(text.find("4.0.2"), 5, "4.2.1");
  const ReadTable read = mpich::read_json(text);
  ASSERT_FALSE(read.faults.empty());
  EXPECT_EQ(read.faults.front().reason,
            "this version of MPICH has no 'algorithm=MPIR_Barrier_intra_dissemination'");
  text.replace(text.find("4.2.1"), 5, "5.1.0");
  EXPECT_EQ(mpich::read_json(text).faults.at(0).reason,
            "it is for MPICH 5.1.0, whose names aren't known here; known: 4.0, 4.2, 4.3 and 5.0");
}

TEST(MpichHazard, AlgorithmOfAnotherVersionIsRefused) {
  EXPECT_THROW((void)mpich::emit_json(everywhere(Collective::bcast, "tree"), mpich_provenance()),
               UsageError);
  EXPECT_THROW(
      (void)mpich::emit_json(library_table({{.what = tables::testing::allreduce("ring", 4, 8)}}),
                             mpich_provenance()),
      UsageError);
}

TEST(MpichHazard, LeafHasTheParametersThatTheAlgorithmWasMeasuredWith) {
  // Without them MPICH runs it with whatever lay in memory.
  const mpich::Node leaf = mpich::algorithm_leaf(
      {.collective = Collective::allgather, .variant = LibraryOwn{"mpich", "k_brucks"}},
      mpich::Series::v4_2);
  EXPECT_EQ(leaf.key, "algorithm=MPIR_Allgather_intra_k_brucks");
  EXPECT_TRUE(testing::has(leaf, "k=2"));
  EXPECT_EQ(mpich::algorithm_leaf({.collective = Collective::allgather,
                                   .variant = LibraryOwn{"mpich", "recexch_halving"}},
                                  mpich::Series::v4_2)
                .key,
            "algorithm=MPIR_Allgather_intra_recexch_halving");
}

TEST(MpichHazard, LeavesAreThoseOfTheVersion) {
  const auto knows = [](std::string_view leaf, mpich::Series series) {
    return mpich::knows_leaf(mpich::collective_of_leaf(leaf), leaf, series);
  };
  using enum mpich::Series;
  EXPECT_FALSE(knows("algorithm=MPIR_Allreduce_intra_recursive_multiplying", v4_2));
  EXPECT_TRUE(knows("algorithm=MPIR_Allreduce_intra_recursive_multiplying", v4_3));
  EXPECT_FALSE(knows("algorithm=MPIR_Allreduce_intra_ccl", v4_3));
  EXPECT_TRUE(knows("algorithm=MPIR_Allreduce_intra_ccl", v5_0));
  EXPECT_FALSE(knows("composition=MPIDI_Bcast_intra_composition_delta", v4_2));
  EXPECT_TRUE(knows("composition=MPIDI_Bcast_intra_composition_delta", v5_0));
  EXPECT_FALSE(knows("composition=MPIDI_Allreduce_intra_composition_delta", v5_0));
  EXPECT_TRUE(knows("algorithm=MPIR_Barrier_intra_k_dissemination", v5_0));
  EXPECT_FALSE(knows("algorithm=MPIR_Barrier_intra_dissemination", v5_0));
}

TEST(MpichHazard, ShapesOfTreesAreWordsSince43) {
  // 4.2 reads a number there, later versions take one for "kary".
  const auto tree = [](mpich::Series series) {
    return mpich::algorithm_leaf(
        {.collective = Collective::allreduce, .variant = LibraryOwn{"mpich", "tree"}}, series);
  };
  EXPECT_TRUE(testing::has(tree(mpich::Series::v4_2), "tree_type=1"));
  EXPECT_TRUE(testing::has(tree(mpich::Series::v4_3), "tree_type=knomial_1"));
}

/// A table of 4.2 as if it had been measured with 5.0, whose default trees are the same.
tables::Provenance mpich_5_0_provenance() {
  tables::Provenance provenance = testing::mpich_4_2_provenance();
  provenance.machine.library_version = "MPICH Version: 5.0.2";
  return provenance;
}

TEST(MpichJson, ChoicesForFlatCommunicatorsNameWhereElseTheyHoldSince50) {
  const tables::Table flat =
      library_table({testing::mpich_rule(Collective::bcast, "tree", 4, 8, Mapping::seq, 4)});
  const auto names_it = [&](const tables::Provenance& provenance) {
    const Emitted emitted = mpich::emit_json(flat, provenance);
    EXPECT_TRUE(mpich::read_json(emitted.text).faults.empty());
    return std::ranges::any_of(emitted.degraded, [](const std::string& line) {
      return line.find("the communicators that MPICH makes of each node") != std::string::npos;
    });
  };
  EXPECT_FALSE(names_it(testing::mpich_4_2_provenance()));
  EXPECT_TRUE(names_it(mpich_5_0_provenance()));
}

TEST(MpichJson, ChoicesOfALibraryWithoutSharedMemoryAreForFlatCommunicators) {
  tables::Provenance provenance = testing::mpich_4_2_provenance();
  provenance.capabilities.shares_memory = false;
  const tables::Table table = library_table({testing::mpich_rule(Collective::bcast, "tree", 4, 8)});
  const Emitted emitted = mpich::emit_json(table, provenance);
  EXPECT_NE(emitted.text.find("comm_hierarchy=flat"), std::string::npos);
  const ReadTable read = mpich::read_json(emitted.text);
  const Case on_one_node{
      .collective = Collective::bcast, .procs = 4, .procs_per_node = 4, .message = {8}};
  EXPECT_EQ(variants_of(read)(on_one_node), "mpich:tree");
}

TEST(MpichJson, PlacesThatAreNoParentAreOneSince50) {
  const std::string tree = R"({"collective=bcast": {"comm_type=intra": {
    "comm_hierarchy=node": {"algorithm=MPIR_Bcast_intra_binomial": {}},
    "comm_hierarchy=any": {"algorithm=MPIR_Bcast_intra_smp": {}}}}})";
  const Case flat{.collective = Collective::bcast, .procs = 4, .nodes = 4, .message = {8}};
  for (const auto& [version, algorithm] :
       {std::pair{"4.2.1", "mpich:smp"}, {"5.0.2", "mpich:binomial"}}) {
    mpich::Chain chain = mpich::parse_tree(tree).chain;
    if (mpich::series_of(version) == mpich::Series::v5_0) mpich::merge_places(chain);
    EXPECT_EQ(Variant{mpich::variant_in(*mpich::search(chain, mpich::call_of(flat)).leaf)},
              Variant::parse(algorithm))
        << version;
  }
}

TEST(MpichJson, ManyMeasuredProcessesTakeFewNodes) {
  tables::Table table = library_table({});
  for (int procs = 2; procs <= 16384; procs *= 2) {
    const int nodes = procs > 64 ? procs / 64 : 1;
    const auto rule = [&](const std::string& algorithm, std::int64_t bytes) {
      return mpich_rule(Collective::reduce, algorithm, procs, bytes, Mapping::seq, nodes);
    };
    table.rules.push_back(rule("reduce_scatter_gather", 8));
    table.rules.push_back(rule("native", 4000 + procs % 127 * 8));
  }
  const std::string text = mpich::emit_json(table, mpich_provenance()).text;
  const std::size_t at = text.find("\"collective=reduce\"");
  const std::string_view reduce =
      std::string_view{text}.substr(at, text.find("\"collective=reduce_scatter\"") - at);
  // Each guard asked once, each of its leaves once for each p.
  EXPECT_LT(std::ranges::count(reduce, ':'), 200);
  EXPECT_TRUE(mpich::read_json(text).faults.empty());
}

TEST(MpichJson, OfADamagedTreeOfTheLibraryNothingIsMade) {
  for (const char* damaged : {"{}", "{\"collective=bcast\": {}}"}) {
    tables::Provenance provenance = mpich_provenance();
    for (DefaultTree& tree : provenance.capabilities.default_trees) tree.json = damaged;
    EXPECT_THROW((void)mpich::emit_json(mpich_table(), provenance), UsageError) << damaged;
    EXPECT_THROW((void)mpich::emit_ch4_json(mpich_table(), provenance), UsageError) << damaged;
  }
}

TEST(MpichJson, WithoutTheLibrarysOwnTreeThereIsNone) {
  tables::Provenance unknown = mpich_provenance();
  unknown.capabilities.default_trees.pop_back();
  EXPECT_NO_THROW((void)mpich::emit_json(mpich_table(), unknown));
  EXPECT_THROW((void)mpich::emit_ch4_json(mpich_table(), unknown), UsageError);
}

TEST(MpichJson, IsRecognisedHoweverBroken) {
  const std::string mpir = mpich::emit_json(mpich_table(), mpich_provenance()).text;
  const std::string ch4 = mpich::emit_ch4_json(mpich_table(), mpich_provenance()).text;
  for (const std::string_view text :
       {std::string_view{mpir}, std::string_view{mpir}.substr(0, 9000)}) {
    EXPECT_TRUE(mpich::is_json(text));
    EXPECT_FALSE(mpich::is_ch4_json(text));
  }
  EXPECT_TRUE(mpich::is_ch4_json(ch4));
  EXPECT_FALSE(mpich::is_json(ch4));
}

}  // namespace
}  // namespace breakeven::formats
