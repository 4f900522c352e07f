// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm that moves data, through MPI's arguments: datatypes that differ from rank to
// rank, in place, every share with a count and a place of its own.
#include <gtest/gtest.h>

#include <numeric>

#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_call.hpp"
#include "executor/mpi_testing.hpp"

namespace breakeven::executor {
namespace {

using namespace testing_mpi;

std::vector<int> joined(std::vector<int> all, const std::vector<int>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

class Moves : public ::testing::Test {
 protected:
  /// Calls `check` with a datatype for what this rank sends and one for what it receives: other
  /// ones at each rank, and so few pairs of them where there are many ranks that the test stays
  /// short.
  template <typename Check>
  void for_types(const Check& check) {
    const std::size_t pairs = procs <= 4 ? types.size() : 2;
    for (std::size_t i = 0; i < pairs; ++i) {
      const IntType& send = types[(i + static_cast<std::size_t>(me)) % types.size()];
      const IntType& recv = types[(3 * i + 2 * static_cast<std::size_t>(me) + 1) % types.size()];
      SCOPED_TRACE(std::string{"from "}.append(send.name).append(" to ").append(recv.name));
      check(send, recv);
    }
  }
  template <typename Check>
  void for_choices(Collective collective, const Check& check) {
    for_every_choice(collective, procs, [&](const kernels::Instance& choice) {
      SCOPED_TRACE(to_text(choice));
      check(choice);
    });
  }

  const Communicator world{MPI_COMM_WORLD};
  const int procs = world.procs();
  const int me = world.me().value;
  const std::vector<IntType> types = int_types();
};

TEST_F(Moves, Allgather) {
  for_choices(Collective::allgather, [&](const kernels::Instance& choice) {
    for_types([&](const IntType& from, const IntType& to) {
      for (const int ints : {0, 6, 12}) {
        std::vector<int> all;
        for (int rank = 0; rank < procs; ++rank) all = joined(all, values(rank, 0, ints));
        TypedBuffer send{from.type, ints / from.ints};
        send.write(values(me, 0, ints));
        for (const bool in_place : {false, true}) {
          TypedBuffer recv{to.type, procs * ints / to.ints};
          if (in_place) recv.write(values(me, 0, ints), me * ints / to.ints);
          run_call(choice,
                   allgather_call(in_place ? MPI_IN_PLACE : send.data(), ints / from.ints,
                                  from.type, recv.data(), ints / to.ints, to.type, world.get()));
          EXPECT_EQ(recv.read(procs * ints), all) << ints << (in_place ? " in place" : "");
          EXPECT_TRUE(recv.gaps_untouched());
        }
        EXPECT_EQ(send.read(ints), values(me, 0, ints));
      }
    });
  });
}

TEST_F(Moves, Alltoall) {
  for_choices(Collective::alltoall, [&](const kernels::Instance& choice) {
    for_types([&](const IntType& from, const IntType& to) {
      for (const int ints : {0, 6, 12}) {
        const auto sent_by = [&](int rank) { return values(rank, 0, procs * ints); };
        std::vector<int> all;
        for (int rank = 0; rank < procs; ++rank) all = joined(all, values(rank, me * ints, ints));
        TypedBuffer send{from.type, procs * ints / from.ints};
        send.write(sent_by(me));
        for (const bool in_place : {false, true}) {
          TypedBuffer recv{to.type, procs * ints / to.ints};
          if (in_place) recv.write(sent_by(me));
          run_call(choice,
                   alltoall_call(in_place ? MPI_IN_PLACE : send.data(), ints / from.ints, from.type,
                                 recv.data(), ints / to.ints, to.type, world.get()));
          EXPECT_EQ(recv.read(procs * ints), all) << ints << (in_place ? " in place" : "");
          EXPECT_TRUE(recv.gaps_untouched());
        }
        EXPECT_EQ(send.read(procs * ints), sent_by(me));
      }
    });
  });
}

TEST_F(Moves, Bcast) {
  for_choices(Collective::bcast, [&](const kernels::Instance& choice) {
    for_types([&](const IntType& type, const IntType&) {
      for (const int root : roots_of(procs)) {
        for (const int ints : {0, 6, 18, 90}) {
          TypedBuffer buffer{type.type, ints / type.ints};
          if (me == root) buffer.write(values(root, 0, ints));
          run_call(choice,
                   bcast_call(buffer.data(), ints / type.ints, type.type, root, world.get()));
          EXPECT_EQ(buffer.read(ints), values(root, 0, ints)) << ints << " from " << root;
          EXPECT_TRUE(buffer.gaps_untouched());
        }
      }
    });
  });
}

TEST_F(Moves, Gather) {
  for_choices(Collective::gather, [&](const kernels::Instance& choice) {
    for_types([&](const IntType& from, const IntType& to) {
      for (const int root : roots_of(procs)) {
        constexpr int kInts = 6;
        std::vector<int> all;
        for (int rank = 0; rank < procs; ++rank) all = joined(all, values(rank, 0, kInts));
        TypedBuffer send{from.type, kInts / from.ints};
        send.write(values(me, 0, kInts));
        for (const bool in_place : {false, true}) {
          TypedBuffer recv{to.type, procs * kInts / to.ints};
          const bool here = in_place && me == root;
          if (here) recv.write(values(me, 0, kInts), me * kInts / to.ints);
          run_call(choice,
                   gather_call(here ? MPI_IN_PLACE : send.data(), kInts / from.ints, from.type,
                               me == root ? recv.data() : nullptr, kInts / to.ints,
                               me == root ? to.type : MPI_DATATYPE_NULL, root, world.get()));
          if (me == root) {
            EXPECT_EQ(recv.read(procs * kInts), all) << (here ? " in place" : "");
          }
          EXPECT_TRUE(recv.gaps_untouched());
        }
      }
    });
  });
}

TEST_F(Moves, Scatter) {
  for_choices(Collective::scatter, [&](const kernels::Instance& choice) {
    for_types([&](const IntType& from, const IntType& to) {
      for (const int root : roots_of(procs)) {
        constexpr int kInts = 6;
        TypedBuffer send{from.type, procs * kInts / from.ints};
        if (me == root) send.write(values(root, 0, procs * kInts));
        for (const bool in_place : {false, true}) {
          TypedBuffer recv{to.type, kInts / to.ints};
          const bool here = in_place && me == root;
          run_call(choice, scatter_call(me == root ? send.data() : nullptr, kInts / from.ints,
                                        me == root ? from.type : MPI_DATATYPE_NULL,
                                        here ? MPI_IN_PLACE : recv.data(), kInts / to.ints, to.type,
                                        root, world.get()));
          if (!here) {
            EXPECT_EQ(recv.read(kInts), values(root, me * kInts, kInts));
          }
          EXPECT_TRUE(recv.gaps_untouched());
          if (me == root) {
            EXPECT_EQ(send.read(procs * kInts), values(root, 0, procs * kInts));
          }
        }
      }
    });
  });
}

TEST_F(Moves, Barrier) {
  for_choices(Collective::barrier, [&](const kernels::Instance& choice) {
    EXPECT_NO_THROW(run_call(choice, barrier_call(world.get())));
  });
}

/// Shares of several lengths, some empty, whose places are in no order and have gaps between them,
/// or are one after the other.
struct Shares {
  std::vector<int> ints;
  std::vector<int> counts;         // elements
  std::vector<int> displacements;  // elements
  int elements = 0;                // of the buffer

  Shares(int procs, const IntType& type, bool scattered)
      : Shares{procs, type, scattered, [](int rank) { return 6 * ((rank + 2) % 4 % 3); }} {}
  /// @param of  the ints of a rank
  template <typename IntsOf>
  Shares(int procs, const IntType& type, bool scattered, const IntsOf& of) {
    for (int rank = 0; rank < procs; ++rank) {
      ints.push_back(of(rank));
      counts.push_back(ints.back() / type.ints);
    }
    displacements.resize(counts.size());
    for (int place = 0; place < procs; ++place) {
      const auto rank = static_cast<std::size_t>(scattered ? procs - 1 - place : place);
      displacements[rank] = elements;
      elements += counts[rank] + (scattered && place % 3 == 1 ? 1 : 0);
    }
  }
  [[nodiscard]] int at(int rank) const { return ints[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int place(int rank) const { return displacements[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int before(int rank) const {
    return std::accumulate(ints.begin(), ints.begin() + rank, 0);
  }
};

TEST_F(Moves, Allgatherv) {
  for_choices(Collective::allgatherv, [&](const kernels::Instance& choice) {
    for_types([&](const IntType& from, const IntType& to) {
      for (const bool scattered : {false, true}) {
        const Shares shares{procs, to, scattered};
        const int mine = shares.at(me);
        TypedBuffer send{from.type, mine / from.ints};
        send.write(values(me, 0, mine));
        for (const bool in_place : {false, true}) {
          TypedBuffer recv{to.type, shares.elements};
          if (in_place) recv.write(values(me, 0, mine), shares.place(me));
          run_call(choice, allgatherv_call(in_place ? MPI_IN_PLACE : send.data(), mine / from.ints,
                                           from.type, recv.data(), shares.counts.data(),
                                           shares.displacements.data(), to.type, world.get()));
          for (int rank = 0; rank < procs; ++rank) {
            EXPECT_EQ(recv.read(shares.at(rank), shares.place(rank)),
                      values(rank, 0, shares.at(rank)))
                << "of " << rank << (in_place ? " in place" : "");
          }
          EXPECT_TRUE(recv.gaps_untouched());
        }
      }
    });
  });
}

TEST_F(Moves, Alltoallv) {
  const auto ints_of = [](int source, int to) { return 6 * ((source + 2 * to) % 3); };
  const auto alike = [](int source, int to) { return 6 * ((source + to) % 3); };  // both ways
  for_choices(Collective::alltoallv, [&](const kernels::Instance& choice) {
    for_types([&](const IntType& from, const IntType& to) {
      for (const bool in_place : {false, true}) {
        const auto ints = [&](int source, int into) {
          return in_place ? alike(source, into) : ints_of(source, into);
        };
        const Shares sent{procs, from, true, [&](int rank) { return ints(me, rank); }};
        const Shares received{procs, to, me % 2 == 0, [&](int rank) { return ints(rank, me); }};
        TypedBuffer send{from.type, sent.elements};
        TypedBuffer recv{to.type, received.elements};
        for (int rank = 0; rank < procs; ++rank) {
          const auto data = values(me, 100 * rank, ints(me, rank));
          if (in_place) {
            recv.write(data, received.place(rank));
          } else {
            send.write(data, sent.place(rank));
          }
        }
        run_call(choice, alltoallv_call(in_place ? MPI_IN_PLACE : send.data(), sent.counts.data(),
                                        sent.displacements.data(), from.type, recv.data(),
                                        received.counts.data(), received.displacements.data(),
                                        to.type, world.get()));
        for (int rank = 0; rank < procs; ++rank) {
          EXPECT_EQ(recv.read(received.at(rank), received.place(rank)),
                    values(rank, 100 * me, received.at(rank)))
              << "of " << rank << (in_place ? " in place" : "");
        }
        EXPECT_TRUE(recv.gaps_untouched());
      }
    });
  });
}

/// Shares of other types and in other memory each, placed by their addresses.
struct TypedShares {
  std::vector<TypedBuffer> buffers;
  std::vector<int> counts;
  std::vector<MPI_Aint> places;
  std::vector<MPI_Datatype> types;

  void add(const IntType& type, int ints) {
    counts.push_back(ints / type.ints);
    types.push_back(type.type);
    TypedBuffer& buffer = buffers.emplace_back(type.type, counts.back());
    check_mpi(MPI_Get_address(buffer.data(), &places.emplace_back()), "MPI_Get_address");
  }
};

TEST_F(Moves, Alltoallw) {
  const auto ints_of = [](int one, int other) { return 6 * ((one + other) % 3); };
  const auto type = [&](int rank, int shift) -> const IntType& {
    return types[static_cast<std::size_t>(me + 2 * rank + shift) % types.size()];
  };
  for_choices(Collective::alltoallw, [&](const kernels::Instance& choice) {
    for (const bool in_place : {false, true}) {
      TypedShares sent;
      TypedShares received;
      for (int rank = 0; rank < procs; ++rank) {
        sent.add(type(rank, 0), ints_of(me, rank));
        received.add(type(rank, 1), ints_of(me, rank));
        (in_place ? received : sent)
            .buffers.back()
            .write(values(me, 100 * rank, ints_of(me, rank)));
      }
      run_call(choice, alltoallw_call(in_place ? MPI_IN_PLACE : MPI_BOTTOM, sent.counts.data(),
                                      sent.places.data(), sent.types.data(), MPI_BOTTOM,
                                      received.counts.data(), received.places.data(),
                                      received.types.data(), world.get()));
      for (int rank = 0; rank < procs; ++rank) {
        TypedBuffer& share = received.buffers[static_cast<std::size_t>(rank)];
        EXPECT_EQ(share.read(ints_of(me, rank)), values(rank, 100 * me, ints_of(me, rank)))
            << "of " << rank << (in_place ? " in place" : "");
        EXPECT_TRUE(share.gaps_untouched());
      }
    }
  });
}

TEST_F(Moves, Gatherv) {
  for_choices(Collective::gatherv, [&](const kernels::Instance& choice) {
    for_types([&](const IntType& from, const IntType& to) {
      for (const int root : roots_of(procs)) {
        const Shares shares{procs, to, true};
        const int mine = shares.at(me);
        TypedBuffer send{from.type, mine / from.ints};
        send.write(values(me, 0, mine));
        for (const bool in_place : {false, true}) {
          TypedBuffer recv{to.type, shares.elements};
          const bool here = in_place && me == root;
          if (here) recv.write(values(me, 0, mine), shares.place(me));
          run_call(choice,
                   gatherv_call(here ? MPI_IN_PLACE : send.data(), mine / from.ints, from.type,
                                recv.data(), me == root ? shares.counts.data() : nullptr,
                                me == root ? shares.displacements.data() : nullptr, to.type, root,
                                world.get()));
          for (int rank = 0; rank < procs && me == root; ++rank) {
            EXPECT_EQ(recv.read(shares.at(rank), shares.place(rank)),
                      values(rank, 0, shares.at(rank)))
                << "of " << rank << (here ? " in place" : "");
          }
          EXPECT_TRUE(recv.gaps_untouched());
        }
      }
    });
  });
}

TEST_F(Moves, Scatterv) {
  for_choices(Collective::scatterv, [&](const kernels::Instance& choice) {
    for_types([&](const IntType& from, const IntType& to) {
      for (const int root : roots_of(procs)) {
        const Shares shares{procs, from, true};
        const int mine = shares.at(me);
        TypedBuffer send{from.type, shares.elements};
        for (int rank = 0; rank < procs && me == root; ++rank) {
          send.write(values(root, shares.before(rank), shares.at(rank)), shares.place(rank));
        }
        for (const bool in_place : {false, true}) {
          TypedBuffer recv{to.type, mine / to.ints};
          const bool here = in_place && me == root;
          run_call(choice, scatterv_call(send.data(), me == root ? shares.counts.data() : nullptr,
                                         me == root ? shares.displacements.data() : nullptr,
                                         from.type, here ? MPI_IN_PLACE : recv.data(),
                                         mine / to.ints, to.type, root, world.get()));
          if (!here) {
            EXPECT_EQ(recv.read(mine), values(root, shares.before(me), mine));
          }
          EXPECT_TRUE(recv.gaps_untouched());
        }
      }
    });
  });
}

TEST_F(Moves, RefuseBuffersThatDoNotAgree) {
  const kernels::Instance ring = kernels::find_instance(Collective::allgather, Ours{"ring"});
  std::vector<int> recv(static_cast<std::size_t>(procs) * 2);
  const int send = 0;
  try {
    run_call(ring, allgather_call(&send, 1, MPI_INT, recv.data(), 2, MPI_INT, world.get()));
    ADD_FAILURE() << "not refused";
  } catch (const UsageError& refusal) {
    EXPECT_STREQ(refusal.what(), "allgather: one buffer has 8 bytes for a share, the other 4");
  }
}

TEST_F(Moves, RefuseARootThatIsNoRank) {
  const kernels::Instance binomial = kernels::find_instance(Collective::bcast, Ours{"binomial"});
  EXPECT_THROW(run_call(binomial, bcast_call(nullptr, 0, MPI_INT, procs, world.get())), UsageError);
}

}  // namespace
}  // namespace breakeven::executor
