// SPDX-License-Identifier: BSD-3-Clause
#include "testbed/delay_line/delay_line.hpp"

#include <gtest/gtest.h>

#include <array>

namespace breakeven::testbed {
namespace {

using namespace std::chrono_literals;

constexpr DelayLine::Clock::time_point kStart{1h};

std::vector<std::byte> frame(int first) { return {std::byte(first), std::byte{7}, std::byte{9}}; }

TEST(DelayLine, LetsAFrameThroughAfterTheDelayAndNotBefore) {
  DelayLine line{50us};
  EXPECT_EQ(line.next(), std::nullopt);
  line.put(frame(1), kStart);
  EXPECT_EQ(line.next(), kStart + 50us);
  EXPECT_EQ(line.take(kStart + 50us - 1ns), std::nullopt);
  EXPECT_EQ(line.take(kStart + 50us), frame(1));
  EXPECT_EQ(line.take(kStart + 1h), std::nullopt);
}

TEST(DelayLine, CarriesMoreFramesThanOneInTheirOrder) {
  DelayLine line{1ms};
  for (int i = 0; i < 5; ++i) line.put(frame(i), kStart + i * 100us);
  EXPECT_EQ(line.take(kStart + 1ms), frame(0));
  EXPECT_EQ(line.take(kStart + 1ms), std::nullopt);
  EXPECT_EQ(line.next(), kStart + 1100us);
  for (int i = 1; i < 5; ++i) EXPECT_EQ(line.take(kStart + 2ms), frame(i));
}

TEST(DelayLine, OfNoLengthIsThroughAtOnce) {
  DelayLine line{0us};
  line.put(frame(3), kStart);
  EXPECT_EQ(line.take(kStart), frame(3));
}

}  // namespace
}  // namespace breakeven::testbed
