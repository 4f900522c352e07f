// SPDX-License-Identifier: BSD-3-Clause
#include "tables/order.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string_view>

#include "core/error.hpp"

namespace breakeven::tables {
namespace {

/// A letter is a call, after as many seconds as its number in the text.
Order order(std::string_view calls) {
  Order order;
  double number = 0;
  for (const char call : calls) order.add(call - 'A', number++);
  order.close();
  return order;
}

/// "A(BC)2.5"
std::string text_of(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& each : steps) {
    if (each.body.empty()) {
      text += static_cast<char>('A' + each.call);
    } else {
      text += '(' + text_of(each.body) + ')' + fmt::format("{}", each.turns);
    }
  }
  return text;
}

TEST(Order, HasALoopWhereCallsRepeat) {
  EXPECT_EQ(text_of(order("ABAC").steps), "ABAC");
  EXPECT_EQ(text_of(order("AAAB").steps), "(A)3B");
  EXPECT_EQ(text_of(order("ABABABC").steps), "(AB)3C");
  EXPECT_EQ(text_of(order("CABABABA").steps), "C(AB)3A");
  EXPECT_EQ(text_of(order("ABBCABBCABBC").steps), "(A(B)2C)3");
}

TEST(Order, TakesLoopsOfOtherTurnsForTheSame) {
  const Order found = order("ABCBCBCABCBCD");
  EXPECT_EQ(text_of(found.steps), "(A(BC)2.5)2D");
  const Step& turn = found.steps[0];
  EXPECT_EQ(turn.body[0].before_s, 3.5);          // of 0 and 7
  EXPECT_EQ(turn.body[1].body[0].before_s, 5.4);  // of 1, 3, 5, 8, 10
  EXPECT_EQ(turn.body[1].body[0].times, 5);
  EXPECT_EQ(found.calls, 13);
}

TEST(Order, OfAMillionStepsIsShort) {
  Order found;
  for (int step = 0; step < 1'000'000; ++step) {
    for (const int call : {0, 1, 1, 2}) found.add(call, 1);
    if (step % 10 == 9) found.add(3, 1);
  }
  found.close();
  EXPECT_EQ(text_of(found.steps), "((A(B)2C)10D)100000");
  EXPECT_TRUE(found.complete);
  EXPECT_LT(order_json(found).dump().size(), 500U);
}

TEST(Order, WithoutRepetitionEnds) {
  Order found;
  for (int call = 0; call < 5000; ++call) found.add(call, 1);
  found.close();
  EXPECT_EQ(found.steps.size(), Order::kMostSteps);
  EXPECT_EQ(found.calls, 1024);
  EXPECT_FALSE(found.complete);
}

TEST(Order, GetsRoomAgainWhereCallsRepeat) {
  Order found;
  for (int turn = 0; turn < 2000; ++turn) {
    for (int call = 0; call < 60; ++call) found.add(call, 1);
  }
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.steps.size(), 1U);
}

TEST(Order, OfSeveralProcessesHasTheirMeans) {
  Order mean;
  Order late;
  mean.add(0, 1);
  late.add(0, 3);
  EXPECT_TRUE(mean.merge(late));
  EXPECT_EQ(mean.steps[0].before_s, 2);
  EXPECT_EQ(mean.steps[0].apart_s, 1);
  Order two = mean;
  EXPECT_TRUE(mean.merge(two));
  EXPECT_EQ(mean.procs, 4);
  EXPECT_EQ(mean.steps[0].apart_s, 1);
  EXPECT_FALSE(mean.merge(order("B")));
  EXPECT_EQ(mean.procs, 4);
}

TEST(Order, IsReadBackAsItIsWritten) {
  const Json json = order_json(order("AABCBC"));
  EXPECT_EQ(order_json(order_of(json)), json);
  EXPECT_THROW(
      static_cast<void>(order_of(Json::parse(
          R"({"procs": 1, "calls": 1, "complete": true, "steps": [{"turns": 2, "steps": []}]})"))),
      UsageError);
}

}  // namespace
}  // namespace breakeven::tables
