// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/check.hpp"

#include <gtest/gtest.h>

#include "tables/formats/mpich/json.hpp"
#include "tables/formats/mpich/testing.hpp"

namespace breakeven::formats::mpich {
namespace {

/// The first fault of a text as "line: reason".
std::string fault_in(std::string_view text, Layer layer = Layer::mpir) {
  const ReadTable read = layer == Layer::mpir ? mpich::read_json(text) : mpich::read_ch4_json(text);
  if (read.faults.empty()) return "none";
  return std::to_string(read.faults.front().line) + ": " + read.faults.front().reason;
}

/// The first fault of the library's own MPIR tree with another chain for one collective, which
/// begins in line 2.
std::string fault_with(const std::string& collective, const std::string& chain) {
  Chain tree = testing::tree_of(testing::testdata("mpich-4.0.2-mpir.json"));
  std::erase_if(tree, [&](const Node& each) { return each.key == "collective=" + collective; });
  std::string others = to_text(tree);
  others.front() = ',';
  return fault_in("{\n\"collective=" + collective + "\": " + chain + others);
}

const std::string kBinomialTree = R"({"algorithm=MPIR_Bcast_intra_binomial": {}})";

TEST(MpichRead, TreesOfTheLibraryHaveNoFault) {
  EXPECT_EQ(fault_in(testing::testdata("mpich-4.0.2-mpir.json")), "none");
  EXPECT_EQ(fault_in(testing::testdata("mpich-4.0.2-ch4.json"), Layer::ch4), "none");
  EXPECT_EQ(fault_with("bcast", kBinomialTree), "none");
}

TEST(MpichRead, TruncatedFileIsNamedWithItsLine) {
  const std::string whole =
      mpich::emit_json(testing::mpich_table(), testing::mpich_provenance()).text;
  const std::string cut = whole.substr(0, whole.find("collective=bcast") + 200);
  const auto lines = std::count(cut.begin(), cut.end(), '\n') + 1;
  EXPECT_EQ(fault_in(cut).substr(0, std::to_string(lines).size() + 1), std::to_string(lines) + ":");
  for (std::size_t size = whole.find('{'); size + 2 < whole.size(); size += 97) {
    EXPECT_NE(fault_in(whole.substr(0, size)), "none") << size;
  }
  EXPECT_EQ(fault_in(""), "1: the text ends where '{' should stand: it is cut off");
  EXPECT_EQ(fault_in("null"), "1: '{' should stand where 'n' does");
  EXPECT_EQ(fault_in("{\n\"collective=bcast"), "2: the text ends within a key");
  EXPECT_EQ(fault_in("/* no end\n\n"), "1: a comment has no end");
  EXPECT_EQ(fault_in("{}\n{}"), "2: there is text after the end of the tree");
  EXPECT_EQ(fault_in("{\"a\": 3}"), "1: '{' should stand where '3' does");
}

TEST(MpichRead, DeepNonsenseIsAFault) {
  std::string deep;
  for (int depth = 0; depth < 100000; ++depth) deep += "{\"any\":";
  EXPECT_EQ(fault_in(deep), "1: objects lie too deep in each other");
}

TEST(MpichRead, OnlyAParameterMayHaveNoValue) {
  const std::string leaf =
      R"({"collective=bcast": {"composition=MPIDI_Bcast_intra_composition_gamma": )";
  EXPECT_FALSE(mpich::parse_tree(leaf + R"({"by=breakeven/flat": null}}})").fault);
  EXPECT_TRUE(mpich::parse_tree(leaf + "null}}").fault);
  EXPECT_TRUE(mpich::parse_tree(R"({"collective=bcast": null})").fault);
}

TEST(MpichRead, ACommaBehindALastValueAndBlanksOfEachKindArePassedOver) {
  for (const char* tree : {R"({"a": {"b": {},},})", "{\v\"a\":\f{\"b\": {} , } }"}) {
    EXPECT_EQ(mpich::parse_tree(tree).chain, mpich::parse_tree(R"({"a": {"b": {}}})").chain)
        << tree;
  }
  for (const char* tree : {R"({"a": {},,})", R"({,"a": {}})"}) {
    EXPECT_TRUE(mpich::parse_tree(tree).fault) << tree;
  }
}

TEST(MpichRead, KeysThatEndInAnyHoldFrom42On) {
  const std::string node = R"({"is_commutative=any": {"algorithm=MPIR_Bcast_intra_binomial": {}}})";
  EXPECT_EQ(fault_with("bcast", "/* MPICH Version: 4.0.2 */" + node),
            "2: unknown key 'is_commutative=any'");
  const mpich::Chain tree = mpich::parse_tree("{\"collective=bcast\": " + node + "}").chain;
  EXPECT_TRUE(mpich::check_tree(tree, mpich::Layer::ch4, mpich::Series::v4_2, "")
                  .front()
                  .reason.starts_with("'algorithm="))
      << "of the other layer, and nothing else";
  EXPECT_EQ(mpich::question_in("acount<2=any").value, "any");
  EXPECT_EQ(mpich::question_in("count=any count=any").of, "count=any count");
  EXPECT_EQ(mpich::question_in("count<2=any").value, "2=any");
}

TEST(MpichRead, CommentsAndBlanksInKeysArePassedOver) {
  EXPECT_EQ(fault_with("bcast",
                       "{ // of one line\n /* \" */ \"algorithm = "
                       "MPIR_Bcast_intra_binomial\": {}}"),
            "none");
}

TEST(MpichHazard, CollectiveThatIsMissing) {
  const std::string all = testing::testdata("mpich-4.0.2-mpir.json");
  Chain tree = testing::tree_of(all);
  tree.pop_back();
  EXPECT_EQ(fault_in(to_text(tree)),
            "0: collective=ineighbor_alltoallw is missing: the file replaces the whole tree, and "
            "the first call would end the program");
  EXPECT_EQ(fault_in(R"({"collective=barrier": {"composition=MPIDI_Barrier_intra_composition_beta":
            {}}})",
                     Layer::ch4),
            "none");
}

TEST(MpichHazard, UnknownKeysAndAlgorithms) {
  EXPECT_EQ(fault_with("bcast", "{\n\"comm_sizes<=4\": " + kBinomialTree + "}"),
            "3: unknown key 'comm_sizes<=4'");
  EXPECT_EQ(fault_with("bcast", "{\"comm_size<=4x\": " + kBinomialTree +
                                    ", \"comm_size=any\": " + kBinomialTree + "}"),
            "2: '4x' is no number from 0 to 2147483647");
  EXPECT_EQ(fault_with("bcast", R"({"algorithm=MPIR_Bcast_intra_ring": {}})"),
            "2: this version of MPICH has no 'algorithm=MPIR_Bcast_intra_ring'");
  EXPECT_EQ(fault_with("bcasts", kBinomialTree), "2: MPICH has no collective 'bcasts'");
  EXPECT_EQ(fault_with("bcast", R"({"composition=MPIDI_Bcast_intra_composition_beta": {}})"),
            "2: 'composition=MPIDI_Bcast_intra_composition_beta' isn't of this layer, whose leaves "
            "are 'algorithm=MPIR_...'");
  EXPECT_EQ(fault_in("{\"comm_type=intra\": {}}").substr(0, 60),
            "1: 'comm_type=intra' stands where a collective should: every");
}

TEST(MpichHazard, KeysThatOnlyLaterVersionsKnow) {
  const std::string chain =
      "{\"comm_avg_ppn<4\": {\"any\": " + kBinomialTree + "}, \"any\": " + kBinomialTree + "}";
  EXPECT_EQ(fault_with("bcast", "/* MPICH Version: 4.0.2 */" + chain),
            "2: unknown key 'comm_avg_ppn<4'");
  // The rest of that tree has a barrier that 4.2 lost, and stands behind.
  EXPECT_EQ(fault_with("bcast", "/* MPICH Version: 4.2.1 */" + chain).find("comm_avg_ppn"),
            std::string::npos);
}

TEST(MpichHazard, NumberAboveTheLargestInt) {
  EXPECT_EQ(fault_with("bcast", "{\"avg_msg_size<=2147483648\": " + kBinomialTree +
                                    ", \"avg_msg_size=any\": " + kBinomialTree + "}"),
            "2: '2147483648' is no number from 0 to 2147483647");
}

TEST(MpichHazard, ChainThatLeadsToNothing) {
  EXPECT_EQ(fault_with("bcast", "{\"comm_size<=4\": " + kBinomialTree + "}"),
            "2: 'comm_size<=4' is the last of its object: some calls come to nothing without "
            "'comm_size=any' or the other answer");
  EXPECT_EQ(
      fault_with("bcast", "{\"is_node_consecutive=yes\": " + kBinomialTree + "}").substr(0, 45),
      "2: 'is_node_consecutive=yes' is the last of i");
  EXPECT_EQ(fault_with("bcast", "{\"comm_size=any\": {}}"),
            "2: nothing stands below 'comm_size=any'");
}

TEST(MpichHazard, AnythingBehindAny) {
  EXPECT_EQ(fault_with("bcast", "{\"comm_size=any\": " + kBinomialTree +
                                    ",\n\"comm_size<=4\": " + kBinomialTree +
                                    ", \"is_node_consecutive=no\": " + kBinomialTree +
                                    ", \"is_node_consecutive=yes\": " + kBinomialTree + "}"),
            "2: 'comm_size=any' isn't the last of its object");
  EXPECT_EQ(fault_with("bcast",
                       "{\"algorithm=MPIR_Bcast_intra_binomial\": {},\n"
                       "\"comm_size=any\": " +
                           kBinomialTree + "}"),
            "2: 'algorithm=MPIR_Bcast_intra_binomial' has other keys next to it, which are lost");
}

TEST(MpichHazard, QuestionToWhichNothingComes) {
  EXPECT_EQ(fault_with("bcast", R"({"comm_size<=8": )" + kBinomialTree + R"(, "comm_size<=4": )" +
                                    kBinomialTree + R"(, "comm_size=any": )" + kBinomialTree + "}"),
            "2: nothing comes to 'comm_size<=4': what it asks for was answered before it");
}

TEST(MpichHazard, SameKeyTwiceInOneObject) {
  EXPECT_EQ(fault_with("bcast", "{\"comm_size<=4\": " + kBinomialTree + ",\n\"comm_size <= 4\": " +
                                    kBinomialTree + ", \"comm_size=any\": " + kBinomialTree + "}"),
            "3: 'comm_size<=4' stands in one object twice, first in line 2: the library keeps one");
}

TEST(MpichHazard, QuestionThatIsNotDefinedForTheCollective) {
  EXPECT_EQ(
      fault_with("barrier", R"({"avg_msg_size<=9": {"algorithm=MPIR_Barrier_intra_smp": {}}})"),
      "2: MPICH can't answer 'avg_msg_size' for barrier: the first call would end the "
      "program");
  EXPECT_EQ(
      fault_with("allgather", R"({"avg_msg_size<=9": {"algorithm=MPIR_Allgather_intra_ring": {}}})")
          .substr(0, 54),
      "2: MPICH can't answer 'avg_msg_size' for allgather: th");
  EXPECT_EQ(fault_with("scatterv",
                       R"({"total_msg_size<=9": {"algorithm=MPIR_Scatterv_allcomm_linear": {}}})")
                .substr(0, 54),
            "2: MPICH can't answer 'total_msg_size' for scatterv: t");
}

TEST(MpichHazard, AlgorithmOfAnotherCollective) {
  EXPECT_EQ(fault_with("bcast", R"({"algorithm=MPIR_Barrier_intra_dissemination": {}})"),
            "2: 'algorithm=MPIR_Barrier_intra_dissemination' is of barrier, and stands below "
            "bcast: the first call would end the program");
}

TEST(MpichHazard, StrictLimitBelowAQuestionOfTheCall) {
  EXPECT_EQ(fault_with("bcast", "{\"avg_msg_size=any\": {\n\"comm_size<8\": " + kBinomialTree +
                                    ", \"comm_size=any\": " + kBinomialTree + "}}"),
            "3: 'comm_size<8' below a question about the call lets 8 pass as well: a bug of "
            "MPICH; use '<='");
  EXPECT_EQ(fault_with("bcast", "{\"comm_hierarchy=any\": {\"comm_size<8\": " + kBinomialTree +
                                    ", \"comm_size=any\": " + kBinomialTree + "}}"),
            "none");
}

TEST(MpichHazard, AlgorithmWithoutTheGuardOfItsNeed) {
  const std::string built_in =
      R"({"is_op_built_in=yes": {"algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather": {}},
          "is_op_built_in=no": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}}})";
  EXPECT_EQ(fault_with("allreduce", built_in),
            "2: 'algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather' is only for count>=pow2, "
            "and nothing asks for it");
  const std::string counted =
      R"({"count<pow2": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}},
          "count=any": {"algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather": {}}})";
  EXPECT_EQ(fault_with("allreduce", counted),
            "3: 'algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather' is only for "
            "is_op_built_in=yes, and nothing asks for it");
  EXPECT_EQ(fault_with("reduce_scatter_block",
                       R"({"algorithm=MPIR_Reduce_scatter_block_intra_pairwise": {}})"),
            "2: 'algorithm=MPIR_Reduce_scatter_block_intra_pairwise' is only for "
            "is_commutative=yes, and nothing asks for it");
  EXPECT_EQ(fault_with("allgather", R"({"algorithm=MPIR_Allgather_intra_recursive_doubling": {}})"),
            "2: 'algorithm=MPIR_Allgather_intra_recursive_doubling' is only for comm_size=pow2, "
            "and nothing asks for it");
  EXPECT_EQ(fault_with("bcast", R"({"algorithm=MPIR_Bcast_intra_smp": {}})"),
            "2: 'algorithm=MPIR_Bcast_intra_smp' is only for comm_hierarchy=parent, and nothing "
            "asks for it");
}

TEST(MpichHazard, AlgorithmOfAnExchangeWithoutTheQuestionWhetherItIsInPlace) {
  EXPECT_EQ(fault_with("alltoall", R"({"algorithm=MPIR_Alltoall_intra_brucks": {}})"),
            "2: 'algorithm=MPIR_Alltoall_intra_brucks' is only for is_sendbuf_inplace=no, and "
            "nothing asks for it");
  EXPECT_EQ(fault_with("alltoallw",
                       R"({"algorithm=MPIR_Alltoallw_intra_pairwise_sendrecv_replace": {}})"),
            "2: 'algorithm=MPIR_Alltoallw_intra_pairwise_sendrecv_replace' is only for "
            "is_sendbuf_inplace=yes, and nothing asks for it");
  EXPECT_EQ(fault_with("alltoallv", R"({"algorithm=MPIR_Alltoallv_allcomm_nb": {}})"), "none");
}

TEST(MpichHazard, ScanByLevelsWithoutTheQuestionHowRanksLie) {
  EXPECT_EQ(fault_with("scan", R"({"algorithm=MPIR_Scan_intra_smp": {}})"),
            "2: 'algorithm=MPIR_Scan_intra_smp' is only for is_node_consecutive=yes, and nothing "
            "asks for it");
}

TEST(MpichSearch, StrictLimitLetsOneMorePassAtACall) {
  const Chain tree = testing::tree_of(
      R"({"collective=bcast": {"avg_msg_size=any": {"comm_size<8": {"algorithm=small": {}},
          "comm_size=any": {"algorithm=large": {}}}}})");
  const Call eight{.collective = "bcast", .procs = 8};
  EXPECT_EQ(testing::leaf_for(tree, eight), "algorithm=small");
  EXPECT_EQ(testing::leaf_for(tree[0].below[0].below, eight), "");
  const Chain outside = testing::tree_of(
      R"({"collective=bcast": {"comm_size<8": {"algorithm=small": {}},
          "comm_size=any": {"algorithm=large": {}}}})");
  EXPECT_EQ(testing::leaf_for(outside, eight), "algorithm=large");
}

TEST(MpichSearch, GatherCountsElements) {
  const Chain tree = testing::tree_of(
      R"({"collective=gather": {"total_msg_size<=8": {"algorithm=small": {}},
          "total_msg_size=any": {"algorithm=large": {}}}})");
  EXPECT_EQ(testing::leaf_for(tree, {.collective = "gather", .procs = 4, .count = 2, .extent = 8}),
            "algorithm=small");
}

TEST(MpichSearch, ProcessesOnANodeOnAverage) {
  const Chain tree = testing::tree_of(
      R"({"collective=bcast": {"comm_avg_ppn<=2": {"algorithm=few": {}},
          "comm_size=any": {"algorithm=many": {}}}})");
  const auto leaf = [&](int procs, int nodes) {
    return testing::leaf_for(tree, {.collective = "bcast", .procs = procs, .nodes = nodes});
  };
  EXPECT_EQ(leaf(4, 2), "algorithm=few");
  EXPECT_EQ(leaf(5, 2), "algorithm=many");
  EXPECT_EQ(leaf(3, 2), "algorithm=few");
}

}  // namespace
}  // namespace breakeven::formats::mpich
