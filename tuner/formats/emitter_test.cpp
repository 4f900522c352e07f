// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/formats/emitter.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "tuner/testing.hpp"

namespace breakeven::formats {
namespace {

TEST(Emitters, AreFoundByNameAndOthersAreRefused) {
  for (const Emitter& emitter : emitters()) {
    EXPECT_EQ(&find_emitter(emitter.name), &emitter);
  }
  EXPECT_THROW((void)find_emitter("jsno"), UsageError);
}

TEST(Emitters, OfLibrariesRefuseProcessCountsForWhichNoFileIsLargeEnough) {
  tuner::Table table = tuner::testing::small_table();
  for (tuner::Rule& rule : table.rules) rule.what.procs *= 1'000'000'000 / 8;
  tuner::Provenance provenance = tuner::testing::some_provenance();
  provenance.machine.library_version = "Open MPI v4.1.4";
  EXPECT_THROW((void)find_emitter("openmpi_rules").emit(table, provenance), UsageError);
  EXPECT_NO_THROW((void)find_emitter("cpp_header").emit(table, provenance));
}

TEST(Emitters, NothingWithAFaultIsEmitted) {
  const tuner::Table table = tuner::testing::small_table();
  const tuner::Provenance provenance = tuner::testing::some_provenance();
  Emitter emitter = find_emitter("csv");
  EXPECT_EQ(emit_faultless(emitter, table, provenance).text, emitter.emit(table, provenance).text);
  emitter.read = [](std::string_view) { return ReadTable{.faults = {{7, "it is broken"}}}; };
  try {
    (void)emit_faultless(emitter, table, provenance);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string{error.what()}.find("table.csv:7: it is broken"), std::string::npos);
  }
}

}  // namespace
}  // namespace breakeven::formats
