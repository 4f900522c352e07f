// SPDX-License-Identifier: BSD-3-Clause
#include "core/case.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/error.hpp"
#include "core/launch.hpp"

namespace breakeven {
namespace {

/// The values of our enumerations are 0, 1, ...: a table that skips one lacks its name.
template <typename Enum, std::size_t Size>
void expect_complete(const Names<Enum, Size>& names) {
  std::set<std::string_view> different;
  for (std::size_t i = 0; i < Size; ++i) {
    const auto value = static_cast<Enum>(i);
    ASSERT_EQ(names.entries[i].value, value) << names.kind << " " << i;
    EXPECT_FALSE(names.of(value).empty());
    EXPECT_EQ(names.parse(names.of(value)), value);
    different.insert(names.of(value));
  }
  EXPECT_EQ(different.size(), Size) << names.kind;
}

TEST(Names, OfEveryValueAreThereAndDifferent) {
  expect_complete(kCollectives);
  expect_complete(kCounts);
  expect_complete(kDatatypes);
  expect_complete(kOps);
  expect_complete(kMachineKinds);
}

TEST(Names, UnknownOnesAreRefusedWithTheKnownOnes) {
  try {
    (void)kMachineKinds.parse("grid");
    FAIL() << "'grid' was taken";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "no machine kind 'grid'; known: library model");
  }
  EXPECT_THROW((void)kOps.parse(""), UsageError);
  EXPECT_THROW((void)kOps.parse("SUM"), UsageError);
}

TEST(TotalBytes, IsTheMessageWhereItIsTheWholeVectorAndElseOnePerProcess) {
  const auto total = [](Collective collective) {
    return total_bytes({.collective = collective, .procs = 6, .message = {100}});
  };
  EXPECT_EQ(total(Collective::allreduce), Bytes{100});
  EXPECT_EQ(total(Collective::bcast), Bytes{100});
  EXPECT_EQ(total(Collective::reduce), Bytes{100});
  EXPECT_EQ(total(Collective::allgather), Bytes{600});
  EXPECT_EQ(total(Collective::reduce_scatter_block), Bytes{600});
  EXPECT_EQ(total(Collective::scatter), Bytes{600});
}

TEST(CaseText, NamesWhatDiffersFromTheOrdinary) {
  Case what{.collective = Collective::allreduce,
            .variant = Ours{"ring"},
            .procs = 4,
            .message = {65536},
            .op = Op::sum};
  EXPECT_EQ(to_text(what), "allreduce/ring p=4 64 KiB int sum");

  what = {.collective = Collective::bcast,
          .variant = Ours{"chain", "segment=4096"},
          .procs = 5,
          .message = {1000},
          .datatype = Datatype::byte,
          .root = {3}};
  EXPECT_EQ(to_text(what), "bcast/chain:segment=4096 p=5 1000 B byte root 3");

  what = {.collective = Collective::allgatherv,
          .variant = Ours{"ring"},
          .procs = 4,
          .message = {8},
          .counts = Counts::linear};
  EXPECT_EQ(to_text(what), "allgatherv/ring p=4 8 B int linear counts");
}

TEST(CaseText, PutsALibraryBeforeTheCollective) {
  const Case what{.variant = LibraryOwn{"openmpi", "segmented_ring", "segment_bytes=1024"}};
  EXPECT_EQ(algorithm_text(what), "openmpi:allreduce/segmented_ring:segment_bytes=1024");
  EXPECT_EQ(to_text(what.variant), "openmpi:segmented_ring:segment_bytes=1024");
  EXPECT_EQ(algorithm_text({.variant = Ours{"ring"}}), "allreduce/ring");
}

TEST(Case, TwoThatDifferInAnyMemberAreDifferentKeys) {
  const Case base{.variant = Ours{"ring"}, .procs = 4, .message = {8}, .op = Op::sum};
  std::set<Case> keys{base, base};
  const auto with = [&](auto change) {
    Case other = base;
    change(other);
    keys.insert(other);
  };
  with([](Case& c) { c.collective = Collective::reduce; });
  with([](Case& c) { c.variant = Native{}; });
  with([](Case& c) { c.variant = Ours{"ring", "segment=8"}; });
  with([](Case& c) { c.procs = 8; });
  with([](Case& c) { c.nodes = 2; });
  with([](Case& c) { c.procs_per_node = 2; });
  with([](Case& c) { c.mapping = Mapping::rr; });
  with([](Case& c) { c.message = {16}; });
  with([](Case& c) { c.datatype = Datatype::long_; });
  with([](Case& c) { c.op = Op::max; });
  with([](Case& c) { c.root = {1}; });
  with([](Case& c) { c.counts = Counts::linear; });
  EXPECT_EQ(keys.size(), 13U);
}

}  // namespace
}  // namespace breakeven
