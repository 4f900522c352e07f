// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>

#include "sim/fit_parts.hpp"

namespace breakeven::sim {
namespace {

std::vector<double> ends(const std::function<double(double)>& time) {
  std::vector<double> x;
  std::vector<double> y;
  for (double bytes = 8; bytes <= 1 << 22; bytes *= 2) {
    x.push_back(bytes);
    y.push_back(time(bytes));
  }
  return line_ends(x, y);
}

TEST(LineEnds, AreWhereAProtocolChanges) {
  const auto eager = [](double bytes) { return 1e-6 + 2e-10 * bytes; };
  EXPECT_EQ(ends(eager), std::vector<double>{});
  EXPECT_EQ(ends([&](double bytes) { return bytes <= 8192 ? eager(bytes) : 5e-6 + 1e-10 * bytes; }),
            std::vector<double>{8192});
  EXPECT_EQ(ends([&](double bytes) {
              if (bytes <= 4096) return eager(bytes);
              return bytes <= 131072 ? 5e-6 + 1e-10 * bytes : -4e-6 + 2.5e-10 * bytes;
            }),
            (std::vector<double>{4096, 131072}));
}

TEST(LineEnds, AreNotWherePointsOnlyScatter) {
  int number = 0;
  EXPECT_EQ(ends([&](double bytes) {
              return (1e-6 + 2e-10 * bytes) * (number++ % 2 == 0 ? 0.96 : 1.04);
            }),
            std::vector<double>{});
}

}  // namespace
}  // namespace breakeven::sim
