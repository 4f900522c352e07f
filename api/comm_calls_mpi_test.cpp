// SPDX-License-Identifier: BSD-3-Clause
// A communicator keeps plans that are found again, and nothing that outlives its use.
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "api/comm_calls.hpp"
#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_call.hpp"
#include "executor/mpi_testing.hpp"

namespace breakeven::api {
namespace {

using namespace executor;
using executor::testing_mpi::value;

/// Performs a call by a choice that is named, as a program in C++ does.
void run_call(const Variant& choice, MpiCall call) {
  const NodeLayout layout;
  int me = 0;
  MPI_Comm_rank(call.comm, &me);
  keep_significant(call, me);
  CommCalls& calls = CommCalls::of(call.comm);
  const auto shares = calls.shares_of(choice, call, layout);
  const KeptChoice* bound = calls.find(call, to_text(choice));
  if (bound == nullptr) {
    bound = &calls.keep(call, {calls.bind(choice, call, layout, shares, forced::Unable::fails)},
                        SizeRange{});
  }
  bound->choice.plan()->fit(call, shares);
  bound->choice.run(call, [] { return MPI_SUCCESS; });
}

class Plans : public ::testing::Test {
 protected:
  [[nodiscard]] std::size_t plans() const { return CommCalls::of(world.get()).size(); }
  /// The sum over all ranks of rank + 1.
  [[nodiscard]] int sum_of_ranks() const { return procs * (procs + 1) / 2; }

  const Communicator world{MPI_COMM_WORLD};
  const int procs = world.procs();
  const int me = world.me().value;
  int me_again = me;
  const Variant doubling = Ours{"recursive_doubling"};
};

TEST_F(Plans, AreFoundAgainForOtherBuffers) {
  for (int call = 1; call <= 3; ++call) {
    std::array<int, 2> input{call * (me + 1), call};
    std::array<int, 2> output{};
    run_call(doubling,
             allreduce_call(input.data(), output.data(), 2, MPI_INT, MPI_SUM, world.get()));
    EXPECT_EQ(output, (std::array<int, 2>{call * sum_of_ranks(), call * procs}));
    EXPECT_EQ(plans(), 1U);
  }
}

TEST_F(Plans, AreApartWhereAnythingDiffers) {
  std::array<int, 4> in{};
  std::array<int, 4> out{};
  const auto call = [&](const Variant& choice, int count, MPI_Datatype type, MPI_Op op) {
    run_call(choice, allreduce_call(in.data(), out.data(), count, type, op, world.get()));
    return plans();
  };
  EXPECT_EQ(call(doubling, 2, MPI_INT, MPI_SUM), 1U);
  EXPECT_EQ(call(doubling, 1, MPI_INT, MPI_SUM), 2U);
  EXPECT_EQ(call(doubling, 2, MPI_FLOAT, MPI_SUM), 3U);
  EXPECT_EQ(call(doubling, 2, MPI_INT, MPI_MAX), 4U);
  Variant other = Ours{"recursive_doubling", "reorder_ranks=seq"};
  EXPECT_EQ(call(other, 2, MPI_INT, MPI_SUM), 5U);
  other = Ours{"ring"};
  EXPECT_EQ(call(other, 2, MPI_INT, MPI_SUM), 6U);
  run_call(doubling, allreduce_call(MPI_IN_PLACE, out.data(), 2, MPI_INT, MPI_SUM, world.get()));
  EXPECT_EQ(plans(), 7U);
  const Variant binomial = Ours{"binomial"};
  for (int root = 0; root < procs; ++root) {
    run_call(binomial, reduce_call(in.data(), out.data(), 2, MPI_INT, MPI_SUM, root, world.get()));
  }
  EXPECT_EQ(plans(), 7U + static_cast<std::size_t>(procs));
}

TEST_F(Plans, ServeSizesOfUpToTwiceTheLeast) {
  std::vector<int> in(40);
  std::vector<int> out(40);
  std::size_t most = 0;
  for (const int count : {8, 15, 9, 16, 31, 8, 20, 32}) {
    std::iota(in.begin(), in.end(), me);
    run_call(doubling, allreduce_call(in.data(), out.data(), count, MPI_INT, MPI_SUM, world.get()));
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(out[static_cast<std::size_t>(i)], sum_of_ranks() + procs * (i - 1)) << count;
    }
    most = std::max(most, plans());
  }
  EXPECT_EQ(most, 3U);
}

TEST_F(Plans, ServeSharesThatChange) {
  const Variant ring = Ours{"ring"};
  for (int call = 0; call < 4; ++call) {
    std::vector<int> counts;
    std::vector<int> displs;
    int end = 0;
    for (int rank = 0; rank < procs; ++rank) {
      counts.push_back(2 + (rank + call) % 2);
      displs.push_back(end);
      end += counts.back() + call % 2;  // with gaps, and without
    }
    const std::vector<int> in(3, me + 1);
    std::vector<int> out(static_cast<std::size_t>(end));
    run_call(ring, allgatherv_call(in.data(), counts[static_cast<std::size_t>(me)], MPI_INT,
                                   out.data(), counts.data(), displs.data(), MPI_INT, world.get()));
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      for (int i = 0; i < counts[rank]; ++i) {
        EXPECT_EQ(out[static_cast<std::size_t>(displs[rank] + i)], static_cast<int>(rank) + 1);
      }
    }
  }
  EXPECT_LE(plans(), 2U);
}

TEST_F(Plans, OfAFreedDatatypeAreNotThoseOfTheNextWithItsHandle) {
  const Variant ring = Ours{"ring"};
  int handles_again = 0;
  MPI_Datatype last = MPI_DATATYPE_NULL;
  for (int stride = 2; stride < 10; ++stride) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, stride, MPI_INT, &type);
    MPI_Type_commit(&type);
    handles_again += type == last ? 1 : 0;
    last = type;
    std::vector<int> send(static_cast<std::size_t>(stride) + 1, -1);
    send.front() = value(me, 0);
    send.back() = value(me, 1);
    std::vector<int> recv(static_cast<std::size_t>(2 * procs));
    run_call(ring, allgather_call(send.data(), 1, type, recv.data(), 2, MPI_INT, world.get()));
    for (int rank = 0; rank < procs; ++rank) {
      const auto at = static_cast<std::size_t>(2 * rank);
      EXPECT_EQ(recv[at], value(rank, 0)) << "stride " << stride;
      EXPECT_EQ(recv[at + 1], value(rank, 1)) << "stride " << stride;
    }
    MPI_Type_free(&type);
  }
#ifdef __SANITIZE_ADDRESS__  // it keeps freed memory back, and a handle may be an address
  if (handles_again == 0) GTEST_SKIP() << "the library never used a handle again";
#endif
  EXPECT_GT(handles_again, 0) << "the library never used a handle again: nothing was tested";
}

template <int Result>
void constant(void*, void* inout, int* length, MPI_Datatype*) {
  for (int i = 0; i < *length; ++i) static_cast<int*>(inout)[i] = Result;
}

TEST_F(Plans, OfAFreedOperationPerformTheNextWithItsHandle) {
  if (procs == 1) GTEST_SKIP() << "one process reduces nothing";
  for (const int result : {3, 4}) {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(result == 3 ? constant<3> : constant<4>, 1, &op);
    int output = 0;
    run_call(doubling, allreduce_call(&me, &output, 1, MPI_INT, op, world.get()));
    EXPECT_EQ(output, result);
    MPI_Op_free(&op);
  }
}

TEST_F(Plans, OfAnOperationThatCommutesAreNotThoseOfOneThatDoesNot) {
  int handles_again = 0;
  MPI_Op last = MPI_OP_NULL;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const bool commutes = repeat % 2 == 0;
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(constant<3>, commutes ? 1 : 0, &op);
    handles_again += op == last ? 1 : 0;
    last = op;
    const MpiCall call = allreduce_call(&me, &me_again, 1, MPI_INT, op, world.get());
    CommCalls& calls = CommCalls::of(world.get());
    const KeptChoice* const found = calls.find(call);
    const Variant mark = Ours{commutes ? "commuting" : "in order"};
    EXPECT_TRUE(found == nullptr || found->choice.variant == mark);
    if (found == nullptr) calls.keep(call, {{.variant = mark}});
    MPI_Op_free(&op);
  }
#ifdef __SANITIZE_ADDRESS__  // it keeps freed memory back, and a handle may be an address
  if (handles_again == 0) GTEST_SKIP() << "the library never used a handle again";
#endif
  EXPECT_GT(handles_again, 0) << "the library never used a handle again: nothing was tested";
}

TEST_F(Plans, ThatWereUsedLastStay) {
  CommCalls& calls = CommCalls::of(world.get());
  std::byte data{};
  const auto call = [&](std::size_t count) {
    return bcast_call(&data, static_cast<MPI_Count>(count), MPI_BYTE, 0, world.get());
  };
  for (std::size_t count = 0; count < 3 * CommCalls::kMost; ++count) {
    const KeptChoice* const first = calls.find(call(0));
    EXPECT_EQ(first == nullptr, count == 0);
    if (calls.find(call(count)) == nullptr) {
      calls.keep(call(count), {{.variant = Ours{std::to_string(count)}}});
    }
  }
  EXPECT_EQ(calls.size(), CommCalls::kMost);
  for (const std::size_t kept :
       {std::size_t{0}, 3 * CommCalls::kMost - 1, 2 * CommCalls::kMost + 1}) {
    const KeptChoice* const found = calls.find(call(kept));
    ASSERT_NE(found, nullptr) << kept;
    EXPECT_EQ(to_text(found->choice.variant), std::to_string(kept));
  }
  EXPECT_EQ(calls.find(call(1)), nullptr);
}

int set_flag(MPI_Comm, int, void* flag, void*) {
  *static_cast<bool*>(flag) = true;
  return MPI_SUCCESS;
}

TEST_F(Plans, GoWithTheirCommunicator) {
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, set_flag, &keyval, nullptr);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int output = 0;
  run_call(doubling, allreduce_call(&me, &output, 1, MPI_INT, MPI_SUM, comm));
  bool freed = false;
  MPI_Comm_set_attr(CommCalls::of(comm).channel().comm, keyval, &freed);
  MPI_Comm duplicate = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &duplicate);
  EXPECT_EQ(CommCalls::of(duplicate).size(), 0U);
  MPI_Comm_free(&comm);
  EXPECT_TRUE(freed);
  run_call(doubling, allreduce_call(&me, &output, 1, MPI_INT, MPI_SUM, duplicate));
  MPI_Comm_free(&duplicate);
  MPI_Comm_free_keyval(&keyval);
}

TEST_F(Plans, MayStayWithTheWorldUntilTheEnd) {
  int output = 0;
  const int input = me + 1;
  run_call(doubling, allreduce_call(&input, &output, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  EXPECT_EQ(output, sum_of_ranks());
}

TEST_F(Plans, NeverTakeTheUsersMessages) {
  int theirs = -1;
  MPI_Request any = MPI_REQUEST_NULL;
  MPI_Irecv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world.get(), &any);
  int output = 0;
  const int input = me + 1;
  run_call(doubling, allreduce_call(&input, &output, 1, MPI_INT, MPI_SUM, world.get()));
  EXPECT_EQ(output, sum_of_ranks());
  const int right = (me + 1) % procs;
  MPI_Send(&me, 1, MPI_INT, right, 0, world.get());
  MPI_Wait(&any, MPI_STATUS_IGNORE);
  EXPECT_EQ(theirs, (me + procs - 1) % procs);
}

TEST_F(Plans, AreNotMadeBetweenTwoGroups) {
  if (procs == 1) GTEST_SKIP() << "one process is no two groups";
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Comm_split(world.get(), me == 0 ? 0 : 1, me, &half);
  MPI_Intercomm_create(half, 0, world.get(), me == 0 ? 1 : 0, 0, &between);
  int output = 0;
  EXPECT_THROW(run_call(doubling, allreduce_call(&me, &output, 1, MPI_INT, MPI_SUM, between)),
               UsageError);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

}  // namespace
}  // namespace breakeven::api
