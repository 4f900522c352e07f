// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/mpich_compositions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "libraries/mpich_parameters.hpp"

namespace breakeven::libraries::mpich {
namespace {

Case on_nodes(Collective collective, const std::string& letter, int nodes, int procs_per_node,
              std::int64_t bytes) {
  return {.collective = collective,
          .variant = LibraryOwn{"mpich", "composition_" + letter},
          .procs = nodes * procs_per_node,
          .nodes = nodes,
          .procs_per_node = procs_per_node,
          .message = {bytes},
          .datatype = Datatype::double_};
}

TEST(MpichLeaders, AreAsNearToFourAsDividesTheNodesProcesses) {
  EXPECT_EQ(leaders(2), 2);
  EXPECT_EQ(leaders(3), 3);
  EXPECT_EQ(leaders(5), 5);
  EXPECT_EQ(leaders(6), 3);
  EXPECT_EQ(leaders(7), 1);
  EXPECT_EQ(leaders(8), 4);
  EXPECT_EQ(leaders(10), 5);
  EXPECT_EQ(leaders(15), 3);
}

TEST(MpichCompositions, OfLevelsNeedANodeThatIsShared) {
  for (const Collective collective :
       {Collective::allreduce, Collective::bcast, Collective::reduce, Collective::barrier}) {
    EXPECT_FALSE(refusal(on_nodes(collective, "alpha", 2, 2, 8)));
    EXPECT_FALSE(refusal(on_nodes(collective, "alpha", 1, 4, 8)));
    EXPECT_TRUE(refusal(on_nodes(collective, "alpha", 4, 1, 8)));
    EXPECT_FALSE(refusal(on_nodes(collective, "beta", 4, 2, 8)));
  }
  EXPECT_TRUE(refusal(on_nodes(Collective::allreduce, "gamma", 2, 2, 8)));
  EXPECT_FALSE(refusal(on_nodes(Collective::allreduce, "gamma", 1, 2, 8)));
}

TEST(MpichCompositions, OfLeadersNeedAnElementForEach) {
  EXPECT_TRUE(refusal(on_nodes(Collective::allreduce, "delta", 1, 4, 800)));
  EXPECT_TRUE(refusal(on_nodes(Collective::allreduce, "delta", 4, 1, 800)));
  EXPECT_TRUE(refusal(on_nodes(Collective::allreduce, "delta", 2, 8, 24)));
  EXPECT_FALSE(refusal(on_nodes(Collective::allreduce, "delta", 2, 8, 32)));
}

TEST(MpichCompositions, OfSharedBlocksEndWithTheirMemory) {
  EXPECT_FALSE(refusal(on_nodes(Collective::allgather, "alpha", 2, 2, 4096)));
  EXPECT_TRUE(refusal(on_nodes(Collective::allgather, "alpha", 2, 2, 4104)));
  Case dealt = on_nodes(Collective::allgather, "alpha", 2, 2, 8);
  dealt.mapping = Mapping::rr;
  EXPECT_TRUE(refusal(dealt));
}

TEST(MpichParameters, AreThoseOfTheAlgorithmsThatTakeThem) {
  for (const KnownLibrary& library : known_libraries()) {
    if (library.name != "mpich") continue;
    for (const LibraryAlgorithm& algorithm : library.algorithms) {
      for (const LibraryParam& param : algorithm.params) {
        const auto parameters = parameters_of(algorithm);
        const auto found = std::ranges::find(parameters, param.key, &Parameter::param);
        ASSERT_NE(found, parameters.end()) << algorithm.function << " " << param.key;
        EXPECT_EQ(found->usual, param.usual) << algorithm.function;
        EXPECT_FALSE(found->variable.empty()) << algorithm.function;
      }
      for (const Parameter& parameter : parameters_of(algorithm)) {
        if (parameter.param.empty()) continue;
        EXPECT_NE(algorithm.find_param(parameter.param), nullptr) << algorithm.function;
      }
    }
  }
}

TEST(MpichParameters, TakeTheirValuesFromTheCase) {
  Case what{.collective = Collective::bcast,
            .variant = LibraryOwn{"mpich", "pipelined_tree", "radix=4"}};
  const auto parameters = parameters_of(*find_library_algorithm(what));
  const auto value = [&](std::string_view leaf) {
    return value_of(*std::ranges::find(parameters, leaf, &Parameter::leaf), what);
  };
  EXPECT_EQ(value("k"), 4);
  EXPECT_EQ(value("chunk_size"), 8192);
  EXPECT_EQ(value("is_non_blocking"), 1);
  EXPECT_EQ(variable_name(what.collective, "TREE_KVAL"), "MPIR_CVAR_BCAST_TREE_KVAL");
}

}  // namespace
}  // namespace breakeven::libraries::mpich
