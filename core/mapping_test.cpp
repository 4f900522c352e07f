// SPDX-License-Identifier: BSD-3-Clause
#include "core/mapping.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace breakeven {
namespace {

std::string recognised(const std::vector<int>& nodes) { return to_text(recognise(nodes)); }

TEST(Mapping, IsRecognisedByTheNodesOfTheRanks) {
  EXPECT_EQ(recognised({0, 0, 0, 1, 1, 1}), "2 x 3 seq");
  EXPECT_EQ(recognised({0, 1, 2, 0, 1, 2}), "3 x 2 rr");
  EXPECT_EQ(recognised({0, 0, 1, 1, 0, 0, 1, 1}), "2 x 4 blocked:2");
  EXPECT_EQ(recognised({0, 0, 1, 0, 1, 1}), "2 x 3 irregular:0*2.1.0.1*2");
}

TEST(Mapping, DoesNotDependOnHowNodesAreNumbered) {
  EXPECT_EQ(recognised({7, 7, 3, 3}), "2 x 2 seq");
  EXPECT_EQ(recognised({5, -1, 2, 5, 2, -1}), "3 x 2 irregular:0.1.2.0.2.1");
}

TEST(Mapping, IsSequentialWhereThereIsOnlyOneWay) {
  EXPECT_EQ(recognised({4}), "1 x 1 seq");
  EXPECT_EQ(recognised({4, 4, 4}), "1 x 3 seq");
  EXPECT_EQ(recognised({2, 1, 0}), "3 x 1 seq");
}

TEST(Mapping, OfUnequalNodesIsRegularWhereTheLastOnesHaveFewer) {
  EXPECT_EQ(recognised({0, 0, 0, 1, 1}), "2 x 3 seq");
  EXPECT_EQ(recognised({0, 1, 2, 0, 1}), "3 x 2 rr");
  EXPECT_EQ(recognised({0, 0, 1, 1, 1}), "2 x 3 irregular:0*2.1*3");
}

TEST(Mapping, WhatIsRecognisedPutsTheRanksWhereTheyAre) {
  // Every placement of six ranks on nodes that are numbered as ranks meet them.
  std::vector<int> nodes(6, 0);
  int placements = 0;
  const auto place = [&](const auto& self, std::size_t rank, int used) -> void {
    if (rank == nodes.size()) {
      EXPECT_EQ(nodes_of_ranks(recognise(nodes)), nodes);
      ++placements;
      return;
    }
    for (int node = 0; node <= used; ++node) {
      nodes[rank] = node;
      self(self, rank + 1, std::max(used, node + 1));
    }
  };
  place(place, 0, 0);
  EXPECT_EQ(placements, 203);  // the sixth Bell number
}

TEST(Mapping, FitsALayoutOrIsRefused) {
  const auto fits = [](int procs, int nodes, const char* mapping) {
    try {
      require_fits({.procs = procs,
                    .nodes = nodes,
                    .procs_per_node = procs / nodes,
                    .mapping = Mapping::parse(mapping)});
      return true;
    } catch (const UsageError&) {
      return false;
    }
  };
  EXPECT_TRUE(fits(8, 2, "rr"));
  EXPECT_TRUE(fits(8, 2, "blocked:2"));
  EXPECT_FALSE(fits(6, 2, "blocked:2"));
  EXPECT_TRUE(fits(4, 2, "irregular:0.1*2.0"));
  EXPECT_FALSE(fits(6, 2, "irregular:0.1*2.0"));
  EXPECT_FALSE(fits(4, 4, "irregular:0.1*2.0"));
}

TEST(Mapping, IsReadFromItsText) {
  for (const char* text : {"seq", "rr", "blocked:2", "blocked:16", "irregular:0*3.1.0.1*2"}) {
    EXPECT_EQ(to_text(Mapping::parse(text)), text);
  }
  EXPECT_EQ(Mapping::parse("irregular:0.0.1").listed(), (std::vector{0, 0, 1}));
}

TEST(Mapping, OfALargeJobIsKeptOnceForAllCopies) {
  std::vector<int> nodes;
  for (int rank = 0; rank < 65'536; ++rank) nodes.push_back(rank % 1'000 % 7 * 100 + rank % 64);
  const NodeLayout found = recognise(nodes);
  ASSERT_EQ(found.mapping.kind(), Mapping::Kind::irregular);
  const NodeLayout copy = found;
  EXPECT_EQ(&copy.mapping.listed(), &found.mapping.listed());
  EXPECT_EQ(recognise(nodes), found);
  EXPECT_NE(&recognise(nodes).mapping.listed(), &found.mapping.listed());
  nodes.back() = nodes.front();
  EXPECT_NE(recognise(nodes), found);
}

TEST(Layout, ACommunicatorsRanksAreThoseOfItsPartOfEachNode) {
  // 2 nodes of 6: three communicators of 2 x 2.
  NodeLayout layout{.procs = 4, .nodes = 2, .procs_per_node = 2, .comms_per_node = 3};
  EXPECT_EQ(job_of(layout), (NodeLayout{.procs = 12, .nodes = 2, .procs_per_node = 6}));
  EXPECT_EQ(comm_of(layout, Rank{0}), (std::vector{0, 1, 6, 7}));
  EXPECT_EQ(comm_of(layout, Rank{3}), (std::vector{2, 3, 8, 9}));
  EXPECT_EQ(comm_of(layout, Rank{11}), (std::vector{4, 5, 10, 11}));
  layout.mapping = Mapping::rr;
  EXPECT_EQ(comm_of(layout, Rank{8}), (std::vector{2, 8, 3, 9}));
  layout.comms_per_node = 1;
  EXPECT_EQ(job_of(layout), layout);
  EXPECT_EQ(comm_of(layout, Rank{2}), (std::vector{0, 1, 2, 3}));
}

TEST(Layout, IsReadFromItsShape) {
  for (const char* text : {"4x2", "1x1", "2x1*4"}) {
    EXPECT_EQ(shape_text(parse_shape(text)), text);
  }
  EXPECT_EQ(parse_shape("4x2*3").procs, 8);
  for (const char* text : {"", "4", "4x", "x2", "0x2", "4x0", "4x2*", "4x2*0", "4x2x2", "4 x 2"}) {
    EXPECT_THROW(static_cast<void>(parse_shape(text)), UsageError) << text;
  }
}

TEST(Mapping, RefusesOtherTexts) {
  for (const char* text : {"", "cyclic", "SEQ", "blocked", "blocked:", "blocked:0", "blocked:1",
                           "blocked:2x", "irregular:", "irregular:1.0", "irregular:0*0",
                           "irregular:0*", "irregular:0,1", "irregular:0*99999999999"}) {
    EXPECT_THROW(static_cast<void>(Mapping::parse(text)), UsageError) << text;
  }
}

}  // namespace
}  // namespace breakeven
