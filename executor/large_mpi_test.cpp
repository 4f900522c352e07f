// SPDX-License-Identifier: BSD-3-Clause
// More than an int can count, really moved: 2 GiB at each of 2 ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "executor/communicator.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_call.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_testing.hpp"
#include "executor/program.hpp"

namespace breakeven::executor {
namespace {

using testing_mpi::run_call;

constexpr std::int64_t kMost = std::numeric_limits<int>::max();
constexpr std::int64_t kNeededMebibytes = 6 << 10;

/// Of the machine, without swapping; 0 where it does not say.
std::int64_t available_mebibytes() {
  std::ifstream file{"/proc/meminfo"};
  std::string key;
  std::int64_t kibibytes = 0;
  while (file >> key) {
    if (key == "MemAvailable:" && file >> kibibytes) return kibibytes / 1024;
  }
  return 0;
}

class Large : public ::testing::Test {
 protected:
  void SetUp() override {
    std::int64_t available = available_mebibytes();
    MPI_Bcast(&available, 1, MPI_INT64_T, 0, world.get());
    if (available < kNeededMebibytes) {
      GTEST_SKIP() << "needs " << kNeededMebibytes << " MiB of memory, the machine has "
                   << available;
    }
  }

  const Communicator world{MPI_COMM_WORLD};
  const int me = world.me().value;
};

using Words = std::vector<std::uint64_t>;

/// Word `i` of rank `rank`'s share.
std::uint64_t word(int rank, std::size_t i) {
  return (i + 1) * 0x9E3779B97F4A7C15 + static_cast<std::uint64_t>(rank);
}
void fill(std::uint64_t* words, std::size_t count, int rank) {
  for (std::size_t i = 0; i < count; ++i) words[i] = word(rank, i);
}
std::size_t wrong_words(const std::uint64_t* words, std::size_t count, int rank) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) wrong += words[i] != word(rank, i) ? 1 : 0;
  return wrong;
}

TEST_F(Large, OneMessageOfMoreBytesAndElementsThanAnIntCounts) {
  const std::size_t count = (std::size_t{1} << 28) + 3;  // 2^31 + 24 bytes
  Words words(count);
  if (me == 0) fill(words.data(), count, 0);
  const kernels::Instance binomial = kernels::find_instance(Collective::bcast, Ours{"binomial"});
  run_call(binomial, bcast_call(words.data(), static_cast<MPI_Count>(count * sizeof(words[0])),
                                MPI_BYTE, 0, world.get()));
  EXPECT_EQ(wrong_words(words.data(), count, 0), 0U);
}

TEST_F(Large, AllgatherOfMoreElementsThanAnIntCounts) {
  const std::size_t count = (std::size_t{1} << 27) + 5;  // of each rank, 2^30 + 40 bytes
  const auto procs = static_cast<std::size_t>(world.procs());
  Words words(procs * count);
  const auto share = [&](std::size_t rank) { return words.data() + rank * count; };
  fill(share(static_cast<std::size_t>(me)), count, me);
  const auto bytes = static_cast<MPI_Count>(count * sizeof(words[0]));
  ASSERT_GT(world.procs() * bytes, kMost);
  const kernels::Instance ring = kernels::find_instance(Collective::allgather, Ours{"ring"});
  run_call(ring, allgather_call(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, words.data(), bytes, MPI_BYTE,
                                world.get()));
  for (std::size_t rank = 0; rank < procs; ++rank) {
    EXPECT_EQ(wrong_words(share(rank), count, static_cast<int>(rank)), 0U) << "of rank " << rank;
  }
}

/// The message that message_of() makes of more elements than an int counts, and its size by the
/// library.
TEST(LargeMessage, IsOneElementOfATypeOfItsOwn) {
  MPI_Datatype with_gap = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 3, MPI_INT, &with_gap);
  const DerivedType element{with_gap};
  const BufferMemory contiguous{.layout = contiguous_layout({8})};
  const BufferMemory strided{
      .layout = {.size = 8, .extent = 16, .true_extent = 16, .contiguous = false}};
  for (const BufferMemory& memory : {contiguous, strided}) {
    const std::int64_t units = memory.layout.contiguous ? 8 : 1;  // counted for an element
    for (const std::int64_t more : {0, 1, 1 << 30}) {
      const std::int64_t elements = kMost / units + more;
      std::vector<DerivedType> made;
      const CallTerms terms{.memory = {.element_size = 8, .input = memory},
                            .elements = {.input = element.get()}};
      const Piece piece{4, elements};
      const Message message = message_of(0, kernels::Buffer::input, {&piece, 1}, terms, made);
      EXPECT_EQ(size_of(message.type) * message.count, elements * 8) << units << " x " << elements;
      MPI_Aint begin = 0;
      MPI_Aint length = 0;
      MPI_Type_get_true_extent(message.type, &begin, &length);
      if (more > 0) {
        EXPECT_EQ(length, elements * memory.layout.extent) << units << " x " << elements;
      }
      EXPECT_EQ(made.size(), more == 0 ? 0U : 1U);
      EXPECT_EQ(message.offset, 4);
    }
  }
}

TEST(LargeMessage, HasItsPiecesInOrder) {
  const CallTerms terms{.memory = {.element_size = 4, .input = {.layout = contiguous_layout({4})}},
                        .elements = {.input = MPI_INT}};
  std::vector<DerivedType> made;
  const std::vector<Piece> pieces{{8, 2}, {0, 1}, {24, 1}};
  const Message message = message_of(0, kernels::Buffer::input, pieces, terms, made);
  const std::vector<int> from{10, 11, 12, 13, 14, 15, 16};
  std::vector<int> into(4);
  MPI_Sendrecv(reinterpret_cast<const std::byte*>(from.data()) + message.offset, message.count,
               message.type, 0, 0, into.data(), 16, MPI_BYTE, 0, 0, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
  EXPECT_EQ(into, (std::vector{12, 13, 10, 16}));
}

}  // namespace
}  // namespace breakeven::executor
