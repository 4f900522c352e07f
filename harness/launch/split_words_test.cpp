// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/split_words.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace breakeven::launch {
namespace {

using Words = std::vector<std::string>;

TEST(SplitWords, CutsAtBlanks) {
  EXPECT_EQ(split_words("-f hosts  --tag\t1\n"), (Words{"-f", "hosts", "--tag", "1"}));
  EXPECT_EQ(split_words("  "), Words{});
}

TEST(SplitWords, NotWithinQuotesOrAfterABackslash) {
  EXPECT_EQ(split_words("-x 'a b' \"c d\" e\\ f"), (Words{"-x", "a b", "c d", "e f"}));
  EXPECT_EQ(split_words("--env='A=1 2'x"), Words{"--env=A=1 2x"});
  EXPECT_EQ(split_words("''"), Words{""});
  EXPECT_EQ(split_words(R"("a\"b" 'a\b')"), (Words{"a\"b", "a\\b"}));
}

TEST(SplitWords, ExpandsNothing) { EXPECT_EQ(split_words("$HOME *"), (Words{"$HOME", "*"})); }

TEST(SplitWords, RefusesAQuoteThatStaysOpen) {
  EXPECT_THROW((void)split_words("a 'b"), UsageError);
  EXPECT_THROW((void)split_words("\""), UsageError);
}

}  // namespace
}  // namespace breakeven::launch
