// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/counterpart.hpp"

#include <gtest/gtest.h>

namespace breakeven::libraries {
namespace {

/// "ring", "binomial:segments=16"; "" for none.
std::string ours(Collective collective, const std::string& algorithm,
                 const std::string& params = "", std::int64_t bytes = 1 << 20, int procs = 8) {
  const auto found = counterpart({.collective = collective,
                                  .variant = Variant::of(algorithm, params),
                                  .procs = procs,
                                  .procs_per_node = procs,
                                  .message = {bytes}});
  return found ? to_text(found->variant) : "";
}

TEST(Counterpart, OfOursIsItself) {
  EXPECT_EQ(ours(Collective::allreduce, "recursive_multiplying", "stages=a2,a4"),
            "recursive_multiplying:stages=a2,a4");
}

TEST(Counterpart, OfALibrarysOwnSendsTheSameMessages) {
  EXPECT_EQ(ours(Collective::allreduce, "openmpi:ring"), "ring");
  EXPECT_EQ(ours(Collective::allreduce, "openmpi:rabenseifner"), "halving_doubling");
  EXPECT_EQ(ours(Collective::allgather, "mpich:brucks"), "bruck");
  EXPECT_EQ(ours(Collective::bcast, "mpich:scatter_ring_allgather"), "scatter_ring");
}

TEST(Counterpart, HasTheParametersOfTheLibrarys) {
  EXPECT_EQ(ours(Collective::reduce, "openmpi:chain"), "chain:chains=4");  // its default
  EXPECT_EQ(ours(Collective::bcast, "openmpi:chain", "fanout=2,segment_bytes=65536"),
            "chain:chains=2,segments=16");
  EXPECT_EQ(ours(Collective::bcast, "openmpi:pipeline", "segment_bytes=65536"),
            "chain:segments=16");
  EXPECT_EQ(ours(Collective::bcast, "openmpi:knomial", "radix=8"), "knomial:radix=8");
  EXPECT_EQ(ours(Collective::alltoall, "openmpi:linear_sync", "max_requests=2"), "linear:batch=2");
  EXPECT_EQ(ours(Collective::alltoall, "mpich:brucks"), "bruck");
  EXPECT_EQ(ours(Collective::alltoall, "mpich:k_brucks", "radix=4"), "bruck:radix=4");
  EXPECT_EQ(ours(Collective::allgather, "openmpi:bruck-k-fanout", "radix=3"), "bruck:radix=3");
  EXPECT_EQ(ours(Collective::allgather, "openmpi:sparbit"), "sparbit");
  EXPECT_EQ(ours(Collective::exscan, "openmpi:linear"), "chain");
}

TEST(Counterpart, HasAsManySegments) {
  const std::string segments = "segment_bytes=65536";
  EXPECT_EQ(ours(Collective::bcast, "openmpi:binomial", segments), "binomial:segments=16");
  EXPECT_EQ(ours(Collective::bcast, "openmpi:binomial", segments, 65537), "binomial:segments=2");
  EXPECT_EQ(ours(Collective::bcast, "openmpi:binomial", segments, 65536), "binomial");
  EXPECT_EQ(ours(Collective::bcast, "openmpi:split_binary_tree", segments),
            "split_binary:segments=8");  // of each half
}

TEST(Counterpart, OfABarrierSendsToOneLessThanItsRadix) {
  EXPECT_EQ(ours(Collective::barrier, "mpich:k_dissemination", "radix=4"),
            "n_way_dissemination:n=3");
  EXPECT_EQ(ours(Collective::barrier, "mpich:k_dissemination"), "n_way_dissemination:n=1");
}

TEST(Counterpart, IsThereOrAReasonIs) {
  for (const KnownLibrary& library : known_libraries()) {
    for (const LibraryAlgorithm& theirs : library.algorithms) {
      const auto [found, why_none] = pairing_of(theirs);
      EXPECT_NE(found.empty(), why_none.empty()) << theirs.name;
      EXPECT_NE(why_none, "not compared") << library.name << ' ' << theirs.name;
    }
  }
}

TEST(Counterpart, IsNoneWhereWeHaveNone) {
  EXPECT_EQ(ours(Collective::allreduce, "native"), "");
  EXPECT_EQ(ours(Collective::allreduce, "native:reduce+bcast"), "");
  EXPECT_EQ(ours(Collective::allgather, "openmpi:neighbor", "", 8, 7), "");  // p is odd
}

}  // namespace
}  // namespace breakeven::libraries
