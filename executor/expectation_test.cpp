// SPDX-License-Identifier: BSD-3-Clause
#include "executor/expectation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "core/element.hpp"

namespace breakeven::executor {
namespace {

kernels::CollectiveCall call_of(Collective collective, Op op, Datatype datatype = Datatype::int_) {
  return {.problem = {.collective = collective, .procs = 3, .me = Rank{1}, .root = Rank{2}},
          .count = 4,
          .datatype = datatype,
          .op = op};
}

std::vector<int> input_of(kernels::CollectiveCall call, int rank) {
  call.problem.me = Rank{rank};
  std::vector<int> input(static_cast<std::size_t>(kernels::input_elements(call)));
  fill_input(call, std::as_writable_bytes(std::span{input}));
  return input;
}

std::optional<std::string> check(const kernels::CollectiveCall& call,
                                 const std::vector<int>& output) {
  return check_output(call, std::as_bytes(std::span{output}));
}

TEST(Expectation, AcceptsWhatEachCollectiveMakesOfTheInputs) {
  const kernels::CollectiveCall gather = call_of(Collective::allgather, Op::none);
  std::vector<int> all;
  for (int rank = 0; rank < 3; ++rank) {
    const std::vector<int> part = input_of(gather, rank);
    all.insert(all.end(), part.begin(), part.end());
  }
  EXPECT_EQ(check(gather, all), std::nullopt);

  const kernels::CollectiveCall bcast = call_of(Collective::bcast, Op::none);
  EXPECT_EQ(check(bcast, input_of(bcast, 2)), std::nullopt);

  const kernels::CollectiveCall scatter = call_of(Collective::scatter, Op::none);
  const std::vector<int> whole = input_of(scatter, 2);
  ASSERT_EQ(whole.size(), 12U);
  EXPECT_EQ(check(scatter, {whole.begin() + 4, whole.begin() + 8}), std::nullopt);

  const kernels::CollectiveCall share = call_of(Collective::reduce_scatter_block, Op::sum);
  EXPECT_EQ(check(share, {4 + 5 + 6, 5 + 6 + 7, 6 + 7 + 8, 7 + 8 + 9}), std::nullopt);
  for (const Collective collective : {Collective::allreduce, Collective::reduce}) {
    EXPECT_EQ(check(call_of(collective, Op::sum), {3, 6, 9, 12}), std::nullopt);
  }
}

/// The block that rank `rank` has for rank 1 in an exchange of blocks of 4.
std::vector<int> block_from(const kernels::CollectiveCall& call, int rank) {
  const std::vector<int> input = input_of(call, rank);
  return {input.begin() + 4, input.begin() + 8};
}

TEST(Expectation, OfAnExchangeIsTheBlockThatEachHasForThisRank) {
  for (const Collective collective :
       {Collective::alltoall, Collective::alltoallv, Collective::alltoallw}) {
    const kernels::CollectiveCall call = call_of(collective, Op::none);
    std::vector<int> all;
    for (int rank = 0; rank < 3; ++rank) {
      const std::vector<int> part = block_from(call, rank);
      all.insert(all.end(), part.begin(), part.end());
    }
    EXPECT_EQ(check(call, all), std::nullopt);
    // Nothing was exchanged, and two blocks came from the wrong ranks.
    EXPECT_NE(check(call, input_of(call, 1)), std::nullopt);
    std::ranges::swap_ranges(std::span{all}.first(4), std::span{all}.last(4));
    EXPECT_EQ(check(call, all), "element 0 of block 0: 15 instead of 13");
  }
}

TEST(Expectation, OfAScanIsTheCombinationOfTheRanksBefore) {
  kernels::CollectiveCall scan = call_of(Collective::scan, Op::sum);
  EXPECT_EQ(check(scan, {0 + 1, 1 + 2, 2 + 3, 3 + 4}), std::nullopt);
  EXPECT_EQ(check(scan, {3, 6, 9, 12}), "element 0: 3 instead of 1");
  kernels::CollectiveCall exscan = call_of(Collective::exscan, Op::sum);
  EXPECT_EQ(check(exscan, {0, 1, 2, 3}), std::nullopt);
  EXPECT_EQ(check(exscan, {1, 3, 5, 7}), "element 0: 1 instead of 0");
  exscan.problem.me = Rank{0};
  EXPECT_EQ(kernels::output_elements(exscan), 0) << "MPI leaves it undefined";
}

TEST(Expectation, NamesTheFirstWrongElement) {
  EXPECT_EQ(check(call_of(Collective::allreduce, Op::sum), {3, 6, 10, 13}),
            "element 2: 10 instead of 9");
  EXPECT_EQ(check(call_of(Collective::allgather, Op::none), {0, 1, 2, 3, 1, 2, 0, 4, 2, 3, 4, 5}),
            "element 2 of block 1: 0 instead of 3");
}

kernels::CollectiveCall reduction(Op op, Datatype datatype) {
  return call_of(Collective::allreduce, op, datatype);
}

/// The right output of an allreduce: what one rank alone would get of its input.
template <typename T>
std::array<T, 4> output_of_one(kernels::CollectiveCall& call) {
  call.problem.procs = 1;
  call.problem.me = Rank{0};
  std::array<T, 4> output{};
  fill_input(call, std::as_writable_bytes(std::span{output}));
  return output;
}

TEST(Expectation, PoisonedElementsAreWrongInEveryDatatype) {
  for (const DatatypeRow& row : kDatatypeTable) {
    for (const auto& [op, name] : kOps.entries) {
      if (!defined(op, row.datatype)) continue;
      const kernels::CollectiveCall call =
          call_of(op == Op::none ? Collective::bcast : Collective::allreduce, op, row.datatype);
      std::vector<std::byte> output(4 * static_cast<std::size_t>(extent(row.datatype).value));
      poison(call, output);
      const auto complaint = check_output(call, output);
      ASSERT_NE(complaint, std::nullopt) << row.name << ' ' << name;
      EXPECT_TRUE(complaint->starts_with("element 0: ")) << *complaint;
    }
  }
}

TEST(Expectation, PrintsWhatAnElementIsMadeOf) {
  kernels::CollectiveCall call = reduction(Op::maxloc, Datatype::double_int);
  auto pairs = output_of_one<Pair<double, int>>(call);
  pairs[1].index = 7;
  EXPECT_EQ(check_output(call, std::as_bytes(std::span{pairs})),
            "element 1: -63 at 7 instead of -63 at 0");

  call = reduction(Op::sum, Datatype::c_float_complex);
  auto numbers = output_of_one<Complex<float>>(call);
  numbers[2].im = 1;
  EXPECT_EQ(check_output(call, std::as_bytes(std::span{numbers})),
            "element 2: (2, 1) instead of (2, -4)");
}

TEST(Expectation, LeavesPaddingOutOfTheComparison) {
  kernels::CollectiveCall call = reduction(Op::minloc, Datatype::double_int);
  auto pairs = output_of_one<Pair<double, int>>(call);
  const auto bytes = std::as_writable_bytes(std::span{pairs});
  for (std::size_t padding = 12; padding < bytes.size(); padding += 16) {
    bytes[padding] ^= std::byte{0xFF};
  }
  EXPECT_EQ(check_output(call, bytes), std::nullopt);
}

TEST(Expectation, TakesAnyTrueLogicalAndOnlyOneOfC) {
  for (const auto& [datatype, complaint] :
       {std::pair{Datatype::logical, std::optional<std::string>{}},
        std::pair{Datatype::int_, std::optional<std::string>{"element 0: -1 instead of 1"}}}) {
    kernels::CollectiveCall call = reduction(Op::lor, datatype);
    auto truths = output_of_one<int>(call);
    ASSERT_EQ(truths, (std::array{1, 0, 0, 0}));
    truths[0] = -1;
    EXPECT_EQ(check_output(call, std::as_bytes(std::span{truths})), complaint);
  }
}

}  // namespace
}  // namespace breakeven::executor
