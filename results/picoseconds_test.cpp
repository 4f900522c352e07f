// SPDX-License-Identifier: BSD-3-Clause
#include "results/picoseconds.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "core/error.hpp"

namespace breakeven::results {
namespace {

using Bytes8 = std::vector<std::uint8_t>;

std::vector<Seconds> picoseconds(const std::vector<std::int64_t>& numbers) {
  std::vector<Seconds> durations;
  for (const std::int64_t each : numbers) durations.push_back({static_cast<double>(each) / 1e12});
  return durations;
}

void expect_back(const std::vector<Seconds>& durations) {
  EXPECT_EQ(decode_picoseconds(encode_picoseconds(durations), durations.size()), durations);
}

// The bytes as docs/files.md states them: zigzag differences, seven bits a byte.
TEST(Picoseconds, AreTheBytesThatTheFormatStates) {
  EXPECT_EQ(encode_picoseconds({}), Bytes8{});
  EXPECT_EQ(encode_picoseconds(picoseconds({0, 1, 0, 63, 0, 64, 0, 8192})),
            (Bytes8{0, 2, 1, 126, 125, 0x80, 1, 0x7f, 0x80, 0x80, 1}));
}

TEST(Picoseconds, ComeBackWhateverTheyAre) {
  std::mt19937_64 random(1);
  for (int bits = 1; bits < 51; ++bits) {  // up to half an hour
    std::vector<std::int64_t> numbers;
    for (int i = 0; i < 200; ++i)
      numbers.push_back(static_cast<std::int64_t>(random() >> (64 - bits)));
    expect_back(picoseconds(numbers));
  }
  expect_back({{9e6}, {0}, {9e6}, {1e-12}});
}

TEST(Picoseconds, RoundToTheNearest) {
  const std::vector<Seconds> fine{{1.4e-12}, {1.6e-12}, {0.4e-12}};
  EXPECT_EQ(decode_picoseconds(encode_picoseconds(fine), 3), picoseconds({1, 2, 0}));
}

TEST(Picoseconds, TakeThreeBytesEachWhereDurationsAreAlike) {
  std::mt19937_64 random(1);
  std::vector<Seconds> durations;
  for (int i = 0; i < 1000; ++i)
    durations.push_back({2e-6 + 1e-12 * static_cast<double>(random() % 400'000)});
  EXPECT_LE(encode_picoseconds(durations).size(), 3010U);
}

TEST(Picoseconds, OfWhatIsNoDurationAreRefused) {
  for (const double bad : {-1e-9, 1e7, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW((void)encode_picoseconds(std::vector<Seconds>{{bad}}), Error) << bad;
  }
}

TEST(Picoseconds, DamagedBytesAreRefused) {
  const Bytes8 good = encode_picoseconds(picoseconds({1'000'000, 999'000}));
  EXPECT_THROW((void)decode_picoseconds(good, 1), Error);
  EXPECT_THROW((void)decode_picoseconds(good, 3), Error);
  EXPECT_THROW((void)decode_picoseconds(good, std::numeric_limits<std::size_t>::max()), Error);
  EXPECT_THROW((void)decode_picoseconds({}, 1), Error);
  EXPECT_THROW((void)decode_picoseconds(Bytes8{0x80}, 1), Error) << "the number has no end";
  EXPECT_THROW((void)decode_picoseconds(Bytes8{1}, 1), Error) << "-1 ps";
  Bytes8 twice{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1};  // 2^63 - 1 ps
  EXPECT_NO_THROW((void)decode_picoseconds(twice, 1));
  for (const int last : {3, 0x81}) {
    Bytes8 wide = twice;
    wide.back() = static_cast<std::uint8_t>(last);
    EXPECT_THROW((void)decode_picoseconds(wide, 1), Error) << "more than 64 bits";
  }
  twice.push_back(2);
  EXPECT_THROW((void)decode_picoseconds(twice, 2), Error) << "2^63 ps";
}

/// Whatever the bytes are, they are decoded or refused; the sanitizers watch.
TEST(Picoseconds, WildBytesAreDecodedOrRefused) {
  std::mt19937_64 random(1);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    Bytes8 bytes(1 + random() % 24);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    try {
      (void)decode_picoseconds(bytes, 1 + random() % bytes.size());
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace breakeven::results
