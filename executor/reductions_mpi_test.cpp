// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm that reduces, through MPI's arguments: users' operations in rank order, derived
// datatypes, in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>

#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_call.hpp"
#include "executor/mpi_testing.hpp"

namespace breakeven::executor {
namespace {

using namespace testing_mpi;

constexpr int kPrime = 32749;

/// Two numbers are the map x -> ax + b modulo a prime: doing one map after the other is associative
/// and depends on their order. Of other elements the first is kept.
std::vector<int> after(const std::vector<int>& first, const std::vector<int>& second) {
  if (first.size() != 2) return first;
  const std::int64_t a = std::int64_t{first[0]} * second[0] % kPrime;
  const std::int64_t b = (std::int64_t{second[0]} * first[1] + second[1]) % kPrime;
  return {static_cast<int>(a), static_cast<int>(b)};
}
std::vector<int> plus(const std::vector<int>& first, const std::vector<int>& second) {
  std::vector<int> sum = first;
  std::ranges::transform(first, second, sum.begin(), std::plus{});
  return sum;
}
using Combine = std::vector<int>(const std::vector<int>&, const std::vector<int>&);

/// As MPI calls it, on elements of any datatype.
template <Combine combine>
void user_function(void* in, void* inout, int* length, MPI_Datatype* type) {
  int size = 0;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_size(*type, &size);
  MPI_Type_get_extent(*type, &lower, &extent);
  std::vector<int> a(static_cast<std::size_t>(size) / sizeof(int));
  std::vector<int> b(a.size());
  for (int i = 0; i < *length; ++i) {
    auto* left = static_cast<std::byte*>(in) + i * extent;
    auto* right = static_cast<std::byte*>(inout) + i * extent;
    int position = 0;
    MPI_Pack(left, 1, *type, a.data(), size, &position, MPI_COMM_SELF);
    position = 0;
    MPI_Pack(right, 1, *type, b.data(), size, &position, MPI_COMM_SELF);
    const std::vector<int> result = combine(a, b);
    position = 0;
    MPI_Unpack(result.data(), size, &position, right, 1, *type, MPI_COMM_SELF);
  }
}

struct UserOp {
  UserOp(MPI_User_function* function, bool commutative) {
    MPI_Op_create(function, commutative ? 1 : 0, &op);
  }
  ~UserOp() { MPI_Op_free(&op); }
  UserOp(const UserOp&) = delete;
  UserOp& operator=(const UserOp&) = delete;
  MPI_Op op = MPI_OP_NULL;
};

int operand(int rank, std::int64_t i) { return value(rank, i) % kPrime; }

std::vector<int> operands(int rank, std::int64_t first, std::int64_t count) {
  std::vector<int> result;
  for (std::int64_t i = first; i < first + count; ++i) result.push_back(operand(rank, i));
  return result;
}

/// Ints [first, first + count) of the result over all ranks, for elements of `ints` ints.
std::vector<int> reduced(Combine combine, int procs, int ints, std::int64_t first,
                         std::int64_t count) {
  std::vector<int> result;
  for (std::int64_t at = first; at < first + count; at += ints) {
    std::vector<int> element = operands(0, at, ints);
    for (int rank = 1; rank < procs; ++rank) element = combine(element, operands(rank, at, ints));
    result.insert(result.end(), element.begin(), element.end());
  }
  return result;
}

class Reductions : public ::testing::Test {
 protected:
  struct Kind {
    MPI_Op op;
    Combine* combine;
    const IntType* type;
  };

  /// Calls `check` with algorithm, operation and datatype; an algorithm that does not keep the
  /// order must refuse an operation that does not commute.
  template <typename Check>
  void for_kinds(Collective collective, const Check& check) {
    const std::size_t some = procs <= 4 ? types.size() : 4;
    for_every_choice(collective, procs, [&](const kernels::Instance& choice) {
      SCOPED_TRACE(to_text(choice));
      for (std::size_t i = procs <= 4 ? 0 : 3; i < some; ++i) {
        SCOPED_TRACE(types[i].name);
        check(choice, Kind{adding.op, plus, &types[i]});
        if (choice.algorithm->order_preserving) {
          check(choice, Kind{mapping.op, after, &types[i]});
        } else {
          EXPECT_THROW(check(choice, Kind{mapping.op, after, &types[i]}), UsageError);
        }
      }
      check(choice, Kind{MPI_SUM, plus, &types[0]});
    });
  }

  const Communicator world{MPI_COMM_WORLD};
  const int procs = world.procs();
  const int me = world.me().value;
  const std::vector<IntType> types = int_types();
  const UserOp mapping{user_function<after>, false};
  const UserOp adding{user_function<plus>, true};
};

TEST_F(Reductions, Allreduce) {
  for_kinds(Collective::allreduce, [&](const kernels::Instance& choice, const Kind& kind) {
    const auto& [op, combine, type] = kind;
    for (const int ints : {0, 6, 36}) {
      const std::vector<int> right = reduced(combine, procs, type->ints, 0, ints);
      TypedBuffer send{type->type, ints / type->ints};
      send.write(operands(me, 0, ints));
      for (const bool in_place : {false, true}) {
        TypedBuffer recv{type->type, ints / type->ints};
        if (in_place) recv.write(operands(me, 0, ints));
        run_call(choice, allreduce_call(in_place ? MPI_IN_PLACE : send.data(), recv.data(),
                                        ints / type->ints, type->type, op, world.get()));
        EXPECT_EQ(recv.read(ints), right) << ints << (in_place ? " in place" : "");
        EXPECT_TRUE(recv.gaps_untouched());
      }
      EXPECT_EQ(send.read(ints), operands(me, 0, ints));
    }
  });
}

TEST_F(Reductions, Reduce) {
  for_kinds(Collective::reduce, [&](const kernels::Instance& choice, const Kind& kind) {
    const auto& [op, combine, type] = kind;
    constexpr int kInts = 36;
    const std::vector<int> right = reduced(combine, procs, type->ints, 0, kInts);
    TypedBuffer send{type->type, kInts / type->ints};
    send.write(operands(me, 0, kInts));
    for (const int root : roots_of(procs)) {
      for (const bool in_place : {false, true}) {
        TypedBuffer recv{type->type, kInts / type->ints};
        const bool here = in_place && me == root;
        if (here) recv.write(operands(me, 0, kInts));
        run_call(choice,
                 reduce_call(here ? MPI_IN_PLACE : send.data(), me == root ? recv.data() : nullptr,
                             kInts / type->ints, type->type, op, root, world.get()));
        if (me == root) {
          EXPECT_EQ(recv.read(kInts), right) << (here ? " in place" : "");
        }
        EXPECT_TRUE(recv.gaps_untouched());
      }
    }
    EXPECT_EQ(send.read(kInts), operands(me, 0, kInts));
  });
}

TEST_F(Reductions, ReduceScatterBlock) {
  for_kinds(Collective::reduce_scatter_block, [&](const kernels::Instance& choice,
                                                  const Kind& kind) {
    const auto& [op, combine, type] = kind;
    constexpr int kInts = 6;
    const std::vector<int> right = reduced(combine, procs, type->ints, me * kInts, kInts);
    for (const bool in_place : {false, true}) {
      TypedBuffer send{type->type, procs * kInts / type->ints};
      send.write(operands(me, 0, procs * kInts));
      TypedBuffer recv{type->type, kInts / type->ints};
      run_call(choice, reduce_scatter_block_call(in_place ? MPI_IN_PLACE : send.data(),
                                                 in_place ? send.data() : recv.data(),
                                                 kInts / type->ints, type->type, op, world.get()));
      EXPECT_EQ((in_place ? send : recv).read(kInts), right) << (in_place ? " in place" : "");
      EXPECT_TRUE(recv.gaps_untouched() && send.gaps_untouched());
    }
  });
}

TEST_F(Reductions, ReduceScatter) {
  for_kinds(Collective::reduce_scatter, [&](const kernels::Instance& choice, const Kind& kind) {
    const auto& [op, combine, type] = kind;
    std::vector<int> counts;
    for (int rank = 0; rank < procs; ++rank) counts.push_back(6 * ((rank + 2) % 3) / type->ints);
    const int all = std::accumulate(counts.begin(), counts.end(), 0);
    const int before = std::accumulate(counts.begin(), counts.begin() + me, 0);
    const int mine = counts[static_cast<std::size_t>(me)];
    const int n = type->ints;
    const std::vector<int> right = reduced(combine, procs, n, before * n, mine * n);
    for (const bool in_place : {false, true}) {
      TypedBuffer send{type->type, all};
      send.write(operands(me, 0, all * n));
      TypedBuffer recv{type->type, mine};
      run_call(choice, reduce_scatter_call(in_place ? MPI_IN_PLACE : send.data(),
                                           in_place ? send.data() : recv.data(), counts.data(),
                                           type->type, op, world.get()));
      EXPECT_EQ((in_place ? send : recv).read(mine * n), right) << (in_place ? " in place" : "");
      EXPECT_TRUE(recv.gaps_untouched() && send.gaps_untouched());
    }
  });
}

TEST_F(Reductions, ScanAndExscan) {
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    const bool exclusive = collective == Collective::exscan;
    for_kinds(collective, [&](const kernels::Instance& choice, const Kind& kind) {
      const auto& [op, combine, type] = kind;
      for (const int ints : {0, 6, 36}) {
        const bool none = exclusive && me == 0;  // MPI leaves rank 0's result open
        const std::vector<int> right =
            none ? std::vector<int>{}
                 : reduced(combine, exclusive ? me : me + 1, type->ints, 0, ints);
        TypedBuffer send{type->type, ints / type->ints};
        send.write(operands(me, 0, ints));
        for (const bool in_place : {false, true}) {
          TypedBuffer recv{type->type, ints / type->ints};
          if (in_place) recv.write(operands(me, 0, ints));
          MpiCall call = scan_call(in_place ? MPI_IN_PLACE : send.data(), recv.data(),
                                   ints / type->ints, type->type, op, world.get());
          call.collective = collective;
          run_call(choice, call);
          EXPECT_EQ(recv.read(none ? 0 : ints), right) << ints << (in_place ? " in place" : "");
          EXPECT_TRUE(recv.gaps_untouched());
        }
        EXPECT_EQ(send.read(ints), operands(me, 0, ints));
      }
    });
  }
}

constexpr std::size_t kCount = 37;
using Doubles = std::array<double, kCount>;

/// Values whose sums in other pairs differ in their last bits.
Doubles fractions(int rank) {
  Doubles values{};
  for (std::size_t i = 0; i < kCount; ++i) {
    values[i] = 1.0 / (1.0 + static_cast<double>(i) + 17.0 * rank);
  }
  return values;
}

TEST_F(Reductions, GiveAllRanksTheSameBitsWhereTheCatalogueSaysSo) {
  const Doubles input = fractions(me);
  for_every_choice(Collective::allreduce, procs, [&](const kernels::Instance& choice) {
    if (!choice.algorithm->bitwise_identical) return;
    Doubles result{};
    run_call(choice,
             allreduce_call(input.data(), result.data(), kCount, MPI_DOUBLE, MPI_SUM, world.get()));
    Doubles first = result;
    MPI_Bcast(first.data(), kCount, MPI_DOUBLE, 0, world.get());
    EXPECT_EQ(std::memcmp(first.data(), result.data(), sizeof(first)), 0) << to_text(choice);
  });
}

TEST_F(Reductions, GiveTheSameBitsOnFewerRanksWhereTheCatalogueSaysSo) {
  const int fewer = std::max(1, procs * 2 / 3);
  const bool is_among = me < fewer;
  MPI_Comm few = MPI_COMM_NULL;
  MPI_Comm_split(world.get(), is_among ? 0 : 1, me, &few);
  const Doubles input = is_among ? fractions(me) : Doubles{};
  for_every_choice(Collective::allreduce, procs, [&](const kernels::Instance& choice) {
    if (!choice.algorithm->fixed_tree) return;
    Doubles of_all{};
    run_call(choice,
             allreduce_call(input.data(), of_all.data(), kCount, MPI_DOUBLE, MPI_SUM, world.get()));
    if (!is_among) return;
    Doubles of_few{};
    run_call(choice, allreduce_call(input.data(), of_few.data(), kCount, MPI_DOUBLE, MPI_SUM, few));
    EXPECT_EQ(std::memcmp(of_few.data(), of_all.data(), sizeof(of_all)), 0) << to_text(choice);
  });
  MPI_Comm_free(&few);
}

TEST_F(Reductions, KnowPairsWithTheirPadding) {
  struct DoubleInt {
    double value;
    int index;
  };
  const DoubleInt mine{.value = -static_cast<double>(me % 3), .index = me};
  for_every_choice(Collective::allreduce, procs, [&](const kernels::Instance& choice) {
    DoubleInt result{};
    run_call(choice, allreduce_call(&mine, &result, 1, MPI_DOUBLE_INT, MPI_MAXLOC, world.get()));
    EXPECT_EQ(result.value, 0) << to_text(choice);
    EXPECT_EQ(result.index, 0) << to_text(choice);
  });
}

std::string refusal(const kernels::Instance& choice, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  std::array<std::byte, 64> buffer{};
  try {
    run_call(choice, allreduce_call(MPI_IN_PLACE, buffer.data(), 1, type, op, comm));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no refusal";
}

TEST_F(Reductions, RefuseInOneLineWhatMpiDoesNotDefineOrTheAlgorithmDoesNotKeep) {
  const kernels::Instance ring = kernels::find_instance(Collective::allreduce, Ours{"ring"});
  EXPECT_EQ(refusal(ring, MPI_DOUBLE, MPI_BOR, world.get()),
            "MPI does not define the reduction 'bor' on double");
  EXPECT_EQ(refusal(ring, types[1].type, MPI_SUM, world.get()),
            "MPI does not define the reduction 'sum' on derived datatypes");
  EXPECT_EQ(refusal(ring, MPI_INT, mapping.op, world.get()),
            "allreduce/ring does not keep operands in rank order, which an operation that does not "
            "commute needs");
  const kernels::Instance reordered = kernels::find_instance(
      Collective::allreduce, Ours{"recursive_doubling", "reorder_ranks=seq"});
  EXPECT_NE(refusal(reordered, MPI_INT, mapping.op, world.get()).find("rank order"),
            std::string::npos);
}

}  // namespace
}  // namespace breakeven::executor
