// SPDX-License-Identifier: BSD-3-Clause
// The library's reading of files of rules, malformed ones too: the hazards that our writer avoids,
// on the library itself.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <fstream>

#include "core/temporary_folder.hpp"
#include "harness/worker/openmpi/rules_lookup.hpp"
#include "libraries/openmpi_rules.hpp"

namespace breakeven::worker {
namespace {

std::optional<libraries::openmpi::Version> version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  return libraries::openmpi::parse_version({text.data(), static_cast<std::size_t>(length)});
}

class RulesLookupOf : public ::testing::Test {
 protected:
  void SetUp() override {
    const bool asks = version()->major >= libraries::openmpi::kFirstMajorWithJson;
    if (asks) GTEST_SKIP() << "looks up communicators alone";
  }
  static RulesLookup lookup(std::string_view rules) {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "rules.conf";
    std::ofstream(file) << rules;
    return RulesLookup::of_file(file);
  }

  static Case allreduce(int procs, std::int64_t bytes) {
    return {.procs = procs, .message = {bytes}};
  }
  using Answer = RulesLookup::Answer;
};

TEST_F(RulesLookupOf, AGoodFileGivesAlgorithmFanOutAndSegment) {
  const RulesLookup rules = lookup("1 2 1 2 2 0 3 0 0 1024 5 7 8192");
  ASSERT_TRUE(rules.loaded());
  EXPECT_EQ(rules.answer(allreduce(2, 1023)), (Answer{3, 0, 0}));
  EXPECT_EQ(rules.answer(allreduce(2, 1024)), (Answer{5, 7, 8192}));
}

TEST_F(RulesLookupOf, ACollectiveWithoutRulesIsTheLibrarysOwnDecision) {
  EXPECT_EQ(lookup("0").answer(allreduce(2, 8)), Answer{});
}

TEST_F(RulesLookupOf, CommentsHideNumbersUpToTheEndOfTheirLine) {
  const RulesLookup rules = lookup("# 99 -1 0x7\n1 # 2\n2 1 2 1 0 3 0 0 # -5 allreduce 4");
  ASSERT_TRUE(rules.loaded());
  EXPECT_EQ(rules.answer(allreduce(2, 8)).algorithm, 3);
}

TEST_F(RulesLookupOf, WordsOutsideOfCommentsDoNotHideNumbers) {
  EXPECT_TRUE(lookup("hello world 1 2 1 2 1 0 3 0 0").loaded());
  const RulesLookup rules = lookup("1 2 1 2 1 0 hello4world 0 0");
  ASSERT_TRUE(rules.loaded());
  EXPECT_EQ(rules.answer(allreduce(2, 8)).algorithm, 4);
}

TEST_F(RulesLookupOf, ALeadingZeroMakesANumberOctal) {
  const RulesLookup rules = lookup("1 2 1 2 2 0 3 0 0 010 4 0 0");
  EXPECT_EQ(rules.answer(allreduce(2, 8)).algorithm, 4) << "from 8, not from 10";
}

TEST_F(RulesLookupOf, FirstCommRuleAlsoHoldsForSmallerCommunicators) {
  EXPECT_EQ(lookup("1 2 1 4 1 0 3 0 0").answer(allreduce(2, 8)).algorithm, 3);
}

TEST_F(RulesLookupOf, LastCommRuleAlsoHoldsForGreaterCommunicators) {
  EXPECT_EQ(lookup("1 2 1 2 1 0 3 0 0").answer(allreduce(4096, 8)).algorithm, 3);
}

TEST_F(RulesLookupOf, MalformedFilesAreNotLoaded) {
  EXPECT_FALSE(lookup("1 2 1 2 2 0 3 0 0 1024 5 0").loaded()) << "cut";
  EXPECT_FALSE(lookup("1 2 1 2 1 4 3 0 0").loaded()) << "first size not 0";
  EXPECT_FALSE(lookup("1 22 1 2 1 0 3 0 0").loaded()) << "no such collective";
  EXPECT_FALSE(lookup("1 2 1 2 1 0 3 -1 0").loaded()) << "negative";
  EXPECT_FALSE(RulesLookup::of_file("/nowhere/rules.conf").loaded());
}

TEST_F(RulesLookupOf, AnUnknownAlgorithmIsLoaded) {
  EXPECT_EQ(lookup("1 2 1 2 1 0 42 0 0").answer(allreduce(2, 8)).algorithm, 42);
}

TEST_F(RulesLookupOf, AVersionLineIsANegativeNumberBefore507) {
  const bool known = *version() >= libraries::openmpi::Version{5, 0, 7};
  EXPECT_EQ(lookup("rule-file-version-2\n1 2 1 2 1 0 3 0 0").loaded(), known);
}

}  // namespace
}  // namespace breakeven::worker
