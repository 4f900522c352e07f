// SPDX-License-Identifier: BSD-3-Clause
// The rules that are written for Open MPI, read by Open MPI's own parser and look-up.
#include <fstream>

#include "core/temporary_folder.hpp"
#include "executor/mpi_types.hpp"
#include "harness/worker/openmpi/rules_lookup.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tables/formats/openmpi/rules.hpp"
#include "tables/formats/openmpi/testing.hpp"

namespace breakeven {
namespace {

/// The algorithm that the library would run, in the words of tables.
std::string variant_of(const worker::RulesLookup::Answer& answer, Collective collective,
                       const LibraryCapabilities& capabilities) {
  libraries::openmpi::RuledAlgorithm algorithm{.fanout = answer.fanout,
                                               .segment_bytes = answer.segment_bytes,
                                               .max_requests = answer.max_requests};
  for (const ListedAlgorithm& listed : capabilities.algorithms) {
    if (listed.collective == collective && listed.value == answer.algorithm) {
      algorithm.name = listed.name;
    }
  }
  return to_text(libraries::openmpi::variant_of(collective, algorithm));
}

/// The library's own reader and ours, whose answers tests of the format compare with the table.
void expect_library_answers_as_reader(const tables::Table& table) {
  const tables::Provenance provenance = formats::testing::openmpi_provenance();
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "openmpi_rules.conf";
  const std::string text = formats::openmpi::emit_rules(table, provenance).text;
  std::ofstream(file) << text;
  const worker::RulesLookup rules = worker::RulesLookup::of_file(file);
  ASSERT_TRUE(rules.loaded());
  int calls = 0;
  const formats::ReadTable read = formats::openmpi::read_rules(text);
  const auto of_library = [&](const Case& problem) {
    ++calls;
    return variant_of(rules.answer(problem), problem.collective, provenance.capabilities);
  };
  formats::testing::expect_same_on_dense_grid(table, 2, 80, of_library,
                                              formats::testing::variants_of(read));
  EXPECT_GT(calls, 100000);
}

/// Version 6 looks up communicators alone.
bool looks_up_problems() {
  const auto version = libraries::openmpi::parse_version(executor::library_version());
  return version && version->major < libraries::openmpi::kFirstMajorWithJson;
}

TEST(OpenmpiRules, TheLibraryAnswersAsTheReaderForEveryPAndSize) {
  if (!looks_up_problems()) GTEST_SKIP();
  expect_library_answers_as_reader(formats::testing::openmpi_table());
}

TEST(OpenmpiRules, TheLibraryAnswersAsTheReaderForFewProcessCountsFarApart) {
  if (!looks_up_problems()) GTEST_SKIP();
  using enum Collective;
  expect_library_answers_as_reader(formats::testing::library_table(
      {formats::testing::library_rule(allreduce, 4, 8, "openmpi:ring"),
       formats::testing::library_rule(allreduce, 64, 8,
                                      "openmpi:segmented_ring:segment_bytes=1024"),
       formats::testing::library_rule(allgather, 4, 8, "openmpi:neighbor"),
       formats::testing::library_rule(allgather, 64, 8, "openmpi:recursive_doubling"),
       formats::testing::library_rule(bcast, 16, 8, "openmpi:split_binary_tree:segment_bytes=1024"),
       formats::testing::library_rule(bcast, 64, 8, "openmpi:scatter_allgather")}));
}

TEST(OpenmpiRules, TheLibraryLoadsATableOfDefaults) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "openmpi_rules.conf";
  std::ofstream(file) << formats::openmpi::emit_rules(
                             formats::testing::library_table({formats::testing::library_rule(
                                 Collective::bcast, 4, 8, "native")}),
                             formats::testing::openmpi_provenance())
                             .text;
  EXPECT_TRUE(worker::RulesLookup::of_file(file).loaded());
}

}  // namespace
}  // namespace breakeven
