// SPDX-License-Identifier: BSD-3-Clause
#include "mock_ups/mock_up.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace breakeven::mock_ups {
namespace {

TEST(MockUps, AreMadeOfCollectivesAndFoundByTheirNames) {
  std::set<std::tuple<Collective, CallForm, std::string_view>> names;
  for (const MockUp& each : catalogue()) {
    EXPECT_TRUE(names.emplace(each.collective, each.form, each.terms).second) << each.terms;
    EXPECT_EQ(find(each.collective, each.variant(), each.form), &each);
    if (const auto form = kCallForms.find(each.terms)) {
      EXPECT_NE(*form, each.form);
      EXPECT_FALSE(runs_in_programs(each));
      continue;
    }
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
