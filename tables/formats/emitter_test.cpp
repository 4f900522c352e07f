// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/emitter.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "tables/formats/openmpi/testing.hpp"
#include "tables/testing.hpp"

namespace breakeven::formats {
namespace {

TEST(Emitters, AreFoundByNameAndOthersAreRefused) {
  for (const Emitter& emitter : emitters()) {
    EXPECT_EQ(&find_emitter(emitter.name), &emitter);
  }
  EXPECT_THROW((void)find_emitter("jsno"), UsageError);
}

TEST(Emitters, OfLibrariesStaySmallAtAnyProcessCount) {
  using testing::library_rule;
  const tables::Table table = testing::library_table(
      {library_rule(Collective::allreduce, 2, 8, "openmpi:ring"),
       library_rule(Collective::allreduce, 2'000'000'000, 8, "openmpi:ring")});
  const Emitted emitted =
      find_emitter("openmpi_rules").emit(table, testing::openmpi_provenance("4.1.4"));
  EXPECT_LT(emitted.text.size(), 64 << 10);
}

TEST(Emitters, NothingWithAFaultIsEmitted) {
  const tables::Table table = tables::testing::small_table();
  const tables::Provenance provenance = tables::testing::some_provenance();
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
