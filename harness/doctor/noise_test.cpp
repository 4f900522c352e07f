// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/noise.hpp"

#include <gtest/gtest.h>

namespace breakeven::doctor {
namespace {

/// A clock that steps by 10 ns, and now and then by 50 us.
double bumpy_clock() {
  static int readings = 0;
  static double at_s = 1000;
  return at_s += ++readings % 100'000 == 0 ? 5e-5 : 1e-8;
}

/// A clock that is read in 100 ns, but only shows full microseconds.
double coarse_clock() {
  static int readings = 0;
  return static_cast<double>(++readings / 10) * 1e-6;
}

TEST(Noise, IsWhatIsMuchLongerThanOneReading) {
  const protocol::Detours noise = look_for_noise({0.1}, bumpy_clock);
  EXPECT_NEAR(static_cast<double>(noise.detours), 95, 2);  // one each 1.05 ms
  EXPECT_NEAR(noise.longest_s, 5e-5, 1e-7);
  EXPECT_NEAR(noise.lost_s, noise.longest_s * static_cast<double>(noise.detours), 1e-7);
  EXPECT_NEAR(noise.window_s, 0.1, 1e-4);
}

TEST(Noise, IsNotTheStepOfACoarseClock) {
  EXPECT_NEAR(look_at_timer(coarse_clock).resolution_s, 1e-6, 1e-9);
  EXPECT_NEAR(look_at_timer(coarse_clock).cost_s, 1e-7, 1e-9);
  EXPECT_EQ(look_for_noise({0.01}, coarse_clock).detours, 0);
}

}  // namespace
}  // namespace breakeven::doctor
