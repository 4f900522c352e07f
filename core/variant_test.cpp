// SPDX-License-Identifier: BSD-3-Clause
#include "core/variant.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"

namespace breakeven {
namespace {

TEST(VariantText, IsReadAsItIsWritten) {
  for (const char* text :
       {"", "native", "tuned", "ring", "ring:reorder_ranks=seq,segments=2", "openmpi:ring",
        "openmpi:chain:fanout=2,segment_bytes=1024", "native:reduce+bcast",
        "hierarchical:allreduce=(recursive_multiplying:stages=a4,a6)"}) {
    const Variant variant = Variant::parse(text);
    EXPECT_EQ(to_text(variant), text);
    EXPECT_EQ(Variant::of(variant.algorithm(), variant.params()), variant) << text;
  }
}

TEST(VariantText, TellsTheKinds) {
  EXPECT_TRUE(Variant::parse("").is<std::monostate>());
  EXPECT_TRUE(Variant::parse("native").is<Native>());
  EXPECT_TRUE(Variant::parse("tuned").is<Tuned>());
  const Variant ours = Variant::parse("ring:segments=2");
  ASSERT_NE(ours.ours(), nullptr);
  EXPECT_EQ(ours.ours()->name, "ring");
  EXPECT_EQ(ours.ours()->params, "segments=2");
  const Variant own = Variant::parse("openmpi:chain:fanout=2");
  ASSERT_NE(own.library(), nullptr);
  EXPECT_EQ(own.library()->library, "openmpi");
  EXPECT_EQ(own.library()->name, "chain");
  EXPECT_EQ(own.params(), "fanout=2");
  EXPECT_EQ(own.algorithm(), "openmpi:chain");
  const Variant mock_up = Variant::parse("native:reduce+bcast");
  ASSERT_NE(mock_up.mock_up(), nullptr);
  EXPECT_EQ(mock_up.mock_up()->terms, "reduce+bcast");
}

TEST(VariantText, HasParametersOfAlgorithmsAlone) {
  EXPECT_THROW(static_cast<void>(Variant::of("native", "segments=2")), UsageError);
  EXPECT_THROW(static_cast<void>(Variant::parse("native:segments=2")), UsageError);
  EXPECT_THROW(static_cast<void>(Variant::of("native:reduce+bcast", "segments=2")), UsageError);
}

TEST(Variant, IsOrderedAsItsText) {
  std::vector<Variant> variants{Ours{"ring"},
                                Ours{"bruck", "n=2"},
                                Composed{"reduce+bcast"},
                                Native{},
                                Ours{"bruck"},
                                LibraryOwn{"mpich", "ring"},
                                Variant{},
                                LibraryOwn{"mpich", "a"},
                                LibraryOwn{"openmpi", "a"},
                                Composed{"b"},
                                Ours{"postal"},
                                Tuned{}};
  std::ranges::sort(variants, std::less{});
  EXPECT_TRUE(std::ranges::is_sorted(variants, {}, [](const Variant& each) {
    return std::pair{each.algorithm(), each.params()};
  }));
}

}  // namespace
}  // namespace breakeven
