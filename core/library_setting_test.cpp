// SPDX-License-Identifier: BSD-3-Clause
#include "core/library_setting.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace breakeven {
namespace {

const LibrarySettings kTwo{{"UCX_TLS", "tcp; (sm)", "environment"},
                           {"btl", "^openib", "/etc/openmpi/openmpi-mca-params.conf"}};

TEST(LibrarySettings, AreReadAsTheyAreWritten) {
  for (const LibrarySettings& settings : {LibrarySettings{}, LibrarySettings{kTwo[1]}, kTwo}) {
    const LibrarySettings read = parse_library_settings(to_text(settings));
    EXPECT_EQ(read, settings);
    EXPECT_EQ(to_text(read), to_text(settings)) << "origins differ";
  }
  EXPECT_THROW(static_cast<void>(parse_library_settings("UCX_TLS=tcp")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_library_settings("btl (environment)")), UsageError);
}

TEST(LibrarySettings, AreTheSameWhereverTheyComeFrom) {
  LibrarySettings others = kTwo;
  others[0].origin = "command line";
  EXPECT_EQ(others, kTwo);
  EXPECT_EQ(values_text(others), values_text(kTwo));
  EXPECT_EQ(difference(others, kTwo), "");
  others[0].value = "sm";
  EXPECT_NE(others, kTwo);
}

TEST(LibrarySettings, SayHowTheyDiffer) {
  EXPECT_EQ(difference({kTwo[1]}, {{"btl", "self", "environment"}, {"pml", "ob1", "x"}}),
            "btl=^openib, was self; pml=unset, was ob1");
  EXPECT_EQ(difference({kTwo[1]}, {}), "btl=^openib, was unset");
}

}  // namespace
}  // namespace breakeven
