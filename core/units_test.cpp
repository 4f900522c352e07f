// SPDX-License-Identifier: BSD-3-Clause
#include "core/units.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "core/error.hpp"

namespace breakeven {
namespace {

constexpr std::int64_t kKi = 1024;

TEST(ParseDuration, AddsNumbersWithUnits) {
  EXPECT_EQ(parse_duration("90s"), Seconds{90});
  EXPECT_EQ(parse_duration("1.5s"), Seconds{1.5});
  EXPECT_EQ(parse_duration("30min"), Seconds{1800});
  EXPECT_EQ(parse_duration("2h"), Seconds{7200});
  EXPECT_EQ(parse_duration("1d"), Seconds{86400});
  EXPECT_EQ(parse_duration("1h30min"), Seconds{5400});
}

TEST(ParseDuration, RefusesWhatHasNoUnitOrIsNoPositiveTime) {
  for (const char* text :
       {"", "90", "s", "0s", "-1s", "1m", "1 h", "1h30", "2hours", "1e3s", "inf", "nans", "1:30"}) {
    EXPECT_THROW((void)parse_duration(text), UsageError) << "'" << text << "'";
  }
}

TEST(ParseBytes, UnderstandsPowersOf1024) {
  EXPECT_EQ(parse_bytes("1"), Bytes{1});
  EXPECT_EQ(parse_bytes("8"), Bytes{8});
  EXPECT_EQ(parse_bytes("64K"), Bytes{64 * kKi});
  EXPECT_EQ(parse_bytes("1M"), Bytes{kKi * kKi});
  EXPECT_EQ(parse_bytes("2G"), Bytes{2 * kKi * kKi * kKi});
}

TEST(ParseBytes, GoesUpToTheLargestSizeAndRefusesTheNext) {
  EXPECT_EQ(parse_bytes("9223372036854775807"), Bytes{INT64_MAX});
  EXPECT_THROW((void)parse_bytes("9223372036854775808"), UsageError);
  EXPECT_EQ(parse_bytes("8589934591G"), Bytes{8589934591 * kKi * kKi * kKi});
  EXPECT_THROW((void)parse_bytes("8589934592G"), UsageError);
}

TEST(ParseBytes, RefusesWhatIsNotAPositiveSize) {
  for (const char* text :
       {"", "K", "0", "0K", "-8", "+8", " 8", "8 ", "8k", "8KB", "8T", "1.5M", "0x8", "eight"}) {
    EXPECT_THROW((void)parse_bytes(text), UsageError) << "'" << text << "'";
  }
}

TEST(ParseBytes, SaysWhatWasAskedAndWhatIsPossible) {
  try {
    (void)parse_bytes("8KB");
    FAIL() << "8KB was taken";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "'8KB' is not a message size; possible: a positive number, then K, M or G for "
                 "powers of 1024");
  }
}

struct Size {
  const char* typed;
  const char* printed;
};

TEST(BytesText, IsExactAndInTheLargestUnitThatDividesTheSize) {
  for (const auto& [typed, printed] :
       {Size{"1", "1 B"}, Size{"1023", "1023 B"}, Size{"1024", "1 KiB"}, Size{"1025", "1025 B"},
        Size{"64K", "64 KiB"}, Size{"1536", "1536 B"}, Size{"1536K", "1536 KiB"},
        Size{"1024K", "1 MiB"}, Size{"3M", "3 MiB"}, Size{"2G", "2 GiB"},
        Size{"4096G", "4096 GiB"}}) {
    EXPECT_EQ(to_text(parse_bytes(typed)), printed);
  }
  EXPECT_EQ(to_text(Bytes{0}), "0 B");
}

TEST(SecondsText, HasThreeSignificantDigitsInTheUnitThatFits) {
  EXPECT_EQ(to_text(Seconds{0}), "0 ns");
  EXPECT_EQ(to_text(Seconds{5e-10}), "0.5 ns");
  EXPECT_EQ(to_text(Seconds{1.234e-6}), "1.23 us");
  EXPECT_EQ(to_text(Seconds{0.0701}), "70.1 ms");
  EXPECT_EQ(to_text(Seconds{1.5}), "1.5 s");
  EXPECT_EQ(to_text(Seconds{-2e-6}), "-2 us");
}

TEST(SecondsText, NeverRoundsUpToAThousandOfAUnit) {
  EXPECT_EQ(to_text(Seconds{999.4e-9}), "999 ns");
  EXPECT_EQ(to_text(Seconds{999.6e-9}), "1 us");
  EXPECT_EQ(to_text(Seconds{999.6e-6}), "1 ms");
  EXPECT_EQ(to_text(Seconds{999.6e-3}), "1 s");
}

TEST(Bytes, ACountTimesASizeIsASize) { EXPECT_EQ(5 * Bytes{8}, Bytes{40}); }

TEST(Seconds, AddUp) { EXPECT_EQ(Seconds{1} + Seconds{0.5}, Seconds{1.5}); }

}  // namespace
}  // namespace breakeven
