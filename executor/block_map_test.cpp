// SPDX-License-Identifier: BSD-3-Clause
#include "executor/block_map.hpp"

#include <gtest/gtest.h>

#include "executor/bound_schedule.hpp"
#include "executor/testing.hpp"

namespace breakeven::executor {
namespace {

using namespace testing;

constexpr std::int64_t kInt = sizeof(int);
constexpr int kBlocks = 3;

/// Rank 1 of a 3-rank allreduce on 7 ints: blocks of 3, 2 and 2 elements.
const kernels::CollectiveCall kCall{
    .problem = {.collective = Collective::allreduce, .procs = 3, .me = Rank{1}, .root = {}},
    .count = 7,
    .datatype = Datatype::int_,
    .op = Op::sum};

/// Rank 1 of a 3-rank allgatherv of 2, 0 and 3 ints, and where its shares lie in the output.
kernels::CollectiveCall allgatherv() {
  kernels::CollectiveCall call = kCall;
  call.problem.collective = Collective::allgatherv;
  call.begins = {0, 2, 2, 5};
  call.op = Op::none;
  return call;
}
Memory with_shares(std::vector<std::int64_t> begins) {
  Memory memory = memory_of(kCall);
  memory.output.shares = std::move(begins);
  return memory;
}

BlockMap map_of(const kernels::CollectiveCall& call, const Memory& memory,
                const std::vector<int>& slots = {}) {
  BlockMap map;
  map.cut(call, memory, kBlocks);
  map.lay_out(slots, call, memory, kBlocks);
  return map;
}
BlockMap map_of(const kernels::CollectiveCall& call) { return map_of(call, memory_of(call)); }
std::vector<Piece> pieces(const BlockMap& map, kernels::Location at, int count) {
  std::vector<Piece> found;
  map.append(at, count, found);
  return found;
}

TEST(BlockMap, FindsUnevenBlocksInTheVector) {
  const BlockMap map = map_of(kCall);
  EXPECT_EQ(pieces(map, out(1), 2), (std::vector<Piece>{{3 * kInt, 4}}));
  EXPECT_EQ(map.elements(in(0), 2), 5);
  EXPECT_TRUE(pieces(map, out(1), 0).empty());
}

TEST(BlockMap, AgreesWithTheCutOfEveryCollective) {
  for (const auto& [collective, name] : kCollectives.entries) {
    if (!moves_data(collective)) continue;
    for (const int cuts : {1, 2, 3}) {
      kernels::CollectiveCall call = kCall;
      call.problem.collective = collective;
      const int blocks = cuts * call.problem.procs;
      if (irregular(collective)) call.begins = {0, 4, 4, 11};
      BlockMap map;
      map.cut(call, memory_of(call), blocks);
      const auto held = kernels::input_blocks(call.problem, blocks);
      for (int i = 0; i < held.count; ++i) {
        const int block = held.first + i;
        EXPECT_EQ(map.elements(in(i), 1), kernels::block_begin(call, blocks, block + 1) -
                                              kernels::block_begin(call, blocks, block))
            << name << " block " << block << " of " << blocks;
      }
    }
  }
}

TEST(BlockMap, MakesScratchSlotsAsLargeAsTheBlockTheyAreFor) {
  constexpr int kAny = BoundSchedule::kAnyBlock;
  const BlockMap map = map_of(kCall, memory_of(kCall), {kAny, 1, kAny, kAny});
  EXPECT_EQ(map.scratch_elements(), 3 + 2 + 3 + 3);
  EXPECT_EQ(pieces(map, aside(2), 2), (std::vector<Piece>{{5 * kInt, 6}}));
  EXPECT_TRUE(map.exact(aside(1), 1));
  EXPECT_FALSE(map.exact(aside(1), 2));
}

TEST(BlockMap, JoinsSharesThatAreNeighboursInMemory) {
  const auto shares = [](std::vector<std::int64_t> begins) {
    return pieces(map_of(allgatherv(), with_shares(std::move(begins))), out(0), 3);
  };
  EXPECT_EQ(shares({40, 900, 48}), (std::vector<Piece>{{40, 5}}));
  EXPECT_EQ(shares({40, 900, 0}), (std::vector<Piece>{{40, 2}, {0, 3}}));
}

/// Elements of 8 bytes of data in 12, the data in the middle.
Memory strided() {
  const Layout layout{
      .size = 8, .extent = 12, .true_lower = 2, .true_extent = 9, .contiguous = false};
  return {.element_size = 8, .input = {layout}, .output = {layout}, .scratch = {layout}};
}

TEST(BlockMap, CountsStridedElementsByTheirExtent) {
  EXPECT_EQ(pieces(map_of(kCall, strided()), out(1), 2), (std::vector<Piece>{{3 * 12, 4}}));
}

TEST(BlockMap, SeesWhereBlocksCutElements) {
  Memory memory = strided();
  memory.element_size = 4;  // the call's elements are halves of the datatype's
  kernels::CollectiveCall call = kCall;
  call.count = 10;  // blocks of 4, 3 and 3
  EXPECT_TRUE(map_of(call, memory).cuts_elements(kernels::Buffer::input));
  call.count = 12;  // blocks of 4
  EXPECT_FALSE(map_of(call, memory).cuts_elements(kernels::Buffer::input));
}

TEST(BlockMap, CountsBeyondAnInt) {
  kernels::CollectiveCall call = kCall;
  call.count = 3 * (std::int64_t{1} << 40);
  EXPECT_EQ(pieces(map_of(call), out(1), 2),
            (std::vector<Piece>{{kInt << 40, std::int64_t{2} << 40}}));
}

}  // namespace
}  // namespace breakeven::executor
