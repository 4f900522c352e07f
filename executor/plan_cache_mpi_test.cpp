// SPDX-License-Identifier: BSD-3-Clause
// What stays with a communicator: plans that are found again, and nothing that outlives its use.
#include <gtest/gtest.h>

#include <array>

#include "core/error.hpp"
#include "executor/call_of.hpp"
#include "executor/comm_plans.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_testing.hpp"

namespace breakeven::executor {
namespace {

using namespace testing_mpi;

class Plans : public ::testing::Test {
 protected:
  [[nodiscard]] std::size_t plans() const { return CommPlans::of(world.get()).plans.size(); }
  /// The sum over all ranks of rank + 1.
  [[nodiscard]] int sum_of_ranks() const { return procs * (procs + 1) / 2; }

  const Communicator world{MPI_COMM_WORLD};
  const int procs = world.procs();
  const int me = world.me().value;
  const ChosenVariant doubling{.variant = kernels::find_instance(
                                   Collective::allreduce, Variant::parse("recursive_doubling"))};
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
  const auto call = [&](const ChosenVariant& choice, int count, MPI_Datatype type, MPI_Op op) {
    run_call(choice, allreduce_call(in.data(), out.data(), count, type, op, world.get()));
    return plans();
  };
  EXPECT_EQ(call(doubling, 2, MPI_INT, MPI_SUM), 1U);
  EXPECT_EQ(call(doubling, 1, MPI_INT, MPI_SUM), 2U);
  EXPECT_EQ(call(doubling, 2, MPI_FLOAT, MPI_SUM), 3U);
  EXPECT_EQ(call(doubling, 2, MPI_INT, MPI_MAX), 4U);
  ChosenVariant other = doubling;
  other.variant = kernels::find_instance(Collective::allreduce,
                                         Variant::parse("recursive_doubling:reorder_ranks=seq"));
  EXPECT_EQ(call(other, 2, MPI_INT, MPI_SUM), 5U);
  other.variant = kernels::find_instance(Collective::allreduce, Variant::parse("ring"));
  EXPECT_EQ(call(other, 2, MPI_INT, MPI_SUM), 6U);
  other.placement.procs_per_node = 1;
  EXPECT_EQ(call(other, 2, MPI_INT, MPI_SUM), 7U);
  run_call(doubling, allreduce_call(MPI_IN_PLACE, out.data(), 2, MPI_INT, MPI_SUM, world.get()));
  EXPECT_EQ(plans(), 8U);
  const ChosenVariant binomial{
      .variant = kernels::find_instance(Collective::reduce, Variant::parse("binomial"))};
  for (int root = 0; root < procs; ++root) {
    run_call(binomial, reduce_call(in.data(), out.data(), 2, MPI_INT, MPI_SUM, root, world.get()));
  }
  EXPECT_EQ(plans(), 8U + static_cast<std::size_t>(procs));
}

TEST_F(Plans, OfAFreedDatatypeAreNotThoseOfTheNextWithItsHandle) {
  const ChosenVariant ring{
      .variant = kernels::find_instance(Collective::allgather, Variant::parse("ring"))};
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
  EXPECT_EQ(plans(), 1U);
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
  MPI_Comm_set_attr(CommPlans::of(comm).channel.comm, keyval, &freed);
  MPI_Comm duplicate = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &duplicate);
  EXPECT_EQ(CommPlans::of(duplicate).plans.size(), 0U);
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

TEST_F(Plans, AreDroppedWhenThereAreTooMany) {
  std::vector<std::byte> in(PlanCache::kMost + 10);
  std::vector<std::byte> out(in.size());
  for (std::size_t count = 1; count <= in.size(); ++count) {
    run_call(doubling, allreduce_call(in.data(), out.data(), static_cast<MPI_Count>(count),
                                      MPI_BYTE, MPI_BOR, world.get()));
  }
  EXPECT_EQ(plans(), PlanCache::kMost);
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
}  // namespace breakeven::executor
