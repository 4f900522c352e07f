// SPDX-License-Identifier: BSD-3-Clause
#include "executor/expectation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace breakeven {
namespace {

std::int64_t apply(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::sum: return a + b;
    case Op::max: return std::max(a, b);
    case Op::min: return std::min(a, b);
    default: return a | b;
  }
}

TEST(Expectation, ClosedFormsAgreeWithBruteForce) {
  constexpr int kElements = 260;  // past one period of the inputs
  for (const Op op : {Op::sum, Op::max, Op::min, Op::bor}) {
    for (int i = 0; i < kElements; ++i) {
      std::int64_t brute = contribution(op, Rank{0}, i);
      for (int procs = 1; procs <= 600; ++procs) {
        if (procs > 1) brute = apply(op, brute, contribution(op, Rank{procs - 1}, i));
        ASSERT_EQ(combination(op, procs, i), brute)
            << kOps.of(op) << " p=" << procs << " element " << i;
      }
    }
  }
}

CollectiveCall call_of(Collective collective, Op op, Datatype datatype = Datatype::int_) {
  return {.problem = {.collective = collective, .procs = 3, .me = Rank{1}, .root = Rank{2}},
          .count = 4,
          .datatype = datatype,
          .op = op};
}

std::vector<int> input_of(CollectiveCall call, int rank) {
  call.problem.me = Rank{rank};
  std::vector<int> input(static_cast<std::size_t>(input_elements(call)));
  fill_input(call, std::as_writable_bytes(std::span{input}));
  return input;
}

std::optional<std::string> check(const CollectiveCall& call, const std::vector<int>& output) {
  return check_output(call, std::as_bytes(std::span{output}));
}

TEST(Expectation, AcceptsWhatEachCollectiveMakesOfTheInputs) {
  const CollectiveCall gather = call_of(Collective::allgather, Op::none);
  std::vector<int> all;
  for (int rank = 0; rank < 3; ++rank) {
    const std::vector<int> part = input_of(gather, rank);
    all.insert(all.end(), part.begin(), part.end());
  }
  EXPECT_EQ(check(gather, all), std::nullopt);

  const CollectiveCall bcast = call_of(Collective::bcast, Op::none);
  EXPECT_EQ(check(bcast, input_of(bcast, 2)), std::nullopt);

  const CollectiveCall scatter = call_of(Collective::scatter, Op::none);
  const std::vector<int> whole = input_of(scatter, 2);
  ASSERT_EQ(whole.size(), 12U);
  EXPECT_EQ(check(scatter, {whole.begin() + 4, whole.begin() + 8}), std::nullopt);

  const CollectiveCall share = call_of(Collective::reduce_scatter_block, Op::sum);
  EXPECT_EQ(check(share, {4 + 5 + 6, 5 + 6 + 7, 6 + 7 + 8, 7 + 8 + 9}), std::nullopt);
  for (const Collective collective : {Collective::allreduce, Collective::reduce}) {
    EXPECT_EQ(check(call_of(collective, Op::sum), {3, 6, 9, 12}), std::nullopt);
  }
}

TEST(Expectation, NamesTheFirstWrongElement) {
  EXPECT_EQ(check(call_of(Collective::allreduce, Op::sum), {3, 6, 10, 13}),
            "element 2: 10 instead of 9");
  EXPECT_EQ(check(call_of(Collective::allgather, Op::none), {0, 1, 2, 3, 1, 2, 0, 4, 2, 3, 4, 5}),
            "element 2 of block 1: 0 instead of 3");
}

TEST(Expectation, PoisonIsNoMovedByte) {
  std::vector<std::byte> output(1);
  poison(call_of(Collective::bcast, Op::none, Datatype::byte), output);
  for (int i = 0; i < 260; ++i) {
    EXPECT_NE(std::to_integer<int>(output[0]), contribution(Op::none, Rank{0}, i));
  }
}

TEST(Expectation, PoisonIsNoCombinationOfBits) {
  std::vector<std::byte> output(1);
  poison(call_of(Collective::allreduce, Op::bor, Datatype::byte), output);
  for (int procs = 1; procs <= 9; ++procs) {
    for (int i = 0; i < 8; ++i) {
      EXPECT_NE(std::to_integer<int>(output[0]), combination(Op::bor, procs, i)) << "p=" << procs;
    }
  }
}

}  // namespace
}  // namespace breakeven
