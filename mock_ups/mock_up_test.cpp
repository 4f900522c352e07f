// SPDX-License-Identifier: BSD-3-Clause
#include "mock_ups/mock_up.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace breakeven::mock_ups {
namespace {

TEST(MockUps, AreMadeOfCollectivesAndFoundByTheirNames) {
  std::set<std::pair<Collective, std::string_view>> names;
  for (const MockUp& each : catalogue()) {
    EXPECT_TRUE(names.emplace(each.collective, each.terms).second) << each.terms;
    EXPECT_EQ(find(each.collective, each.variant()), &each);
    std::string_view rest = each.terms;
    while (!rest.empty()) {
      const std::string_view term = rest.substr(0, rest.find('+'));
      const bool known = term == "reduce_local" ||
                         std::ranges::any_of(kCollectives.entries,
                                             [&](const auto& entry) { return entry.name == term; });
      EXPECT_TRUE(known) << term;
      rest.remove_prefix(std::min(rest.size(), term.size() + 1));
    }
  }
  EXPECT_EQ(find(Collective::allgather, Composed{"barrier"}), nullptr);  // moves no data
  EXPECT_EQ(find(Collective::allgather, Native{}), nullptr);
}

}  // namespace
}  // namespace breakeven::mock_ups
