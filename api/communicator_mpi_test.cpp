// SPDX-License-Identifier: BSD-3-Clause
// As a program uses the library: nothing but its header, and what MPI says.
#include <gtest/gtest.h>
#include <mpi.h>
#include <sched.h>

#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/breakeven/communicator.hpp"

namespace breakeven::api {
namespace {

using Ints = std::vector<int>;

constexpr int kCount = 5;

/// Of every rank but the last, one more than of the one before; the last has nothing.
Ints counts_of(int procs) {
  Ints counts(static_cast<std::size_t>(procs));
  std::iota(counts.begin(), counts.end(), 1);
  if (procs > 1) counts.back() = 0;
  return counts;
}

/// With a gap between shares.
Ints displs_of(const Ints& counts) {
  Ints displs;
  int next = 0;
  for (const int count : counts) {
    displs.push_back(next);
    next += count + 1;
  }
  return displs;
}

class Collectives : public ::testing::Test {
 protected:
  Collectives() {
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    send.resize(static_cast<std::size_t>(procs * (procs + kCount)));
    std::iota(send.begin(), send.end(), 1000 * me);
  }

  /// Compares the data that each of these choices leaves in `recv` with those that MPI leaves
  /// there.
  void expect_equal(const std::vector<std::string>& names,
                    const std::function<Bound(const Choice&)>& bind) {
    recv.assign(send.size(), -1);
    bind("native").run();
    const Ints expected = recv;
    for (const std::string& name : names) {
      const Bound bound = bind(name);
      EXPECT_EQ(bound.algorithm(), name);
      for (int run = 0; run < 2; ++run) {
        recv.assign(send.size(), -1);
        bound.run();
        EXPECT_EQ(recv, expected) << name << ", run " << run;
      }
      const bool is_ours =
          name.find(':') == std::string::npos || name.find('=') != std::string::npos;
      if (!is_ours) continue;  // only run() performs it
      for (int start = 0; start < 2; ++start) {
        recv.assign(send.size(), -1);
        finish(bound.start());
        EXPECT_EQ(recv, expected) << name << ", start " << start;
      }
    }
    recv.assign(send.size(), -1);
    finish(bind("native").start());
    EXPECT_EQ(recv, expected);
  }

  /// By test() alone.
  static void finish(Request request) {
    while (!request.test()) sched_yield();
  }

  int procs = 1;
  int me = 0;
  Ints send;
  Ints recv;
  const Communicator world{MPI_COMM_WORLD};
};

TEST_F(Collectives, OfEqualSharesDoAsMpiDoes) {
  recv.resize(send.size());
  const int root = procs - 1;
  expect_equal({"ring", "bruck", "native:gather+bcast"}, [&](const Choice& by) {
    return world.allgather(send.data(), kCount, MPI_INT, recv.data(), kCount, MPI_INT, by);
  });
  expect_equal({"ring", "native:reduce_scatter_block+allgather"}, [&](const Choice& by) {
    return world.allreduce(send.data(), recv.data(), kCount, MPI_INT, MPI_SUM, by);
  });
  expect_equal({"linear", "bruck:radix=3"}, [&](const Choice& by) {
    return world.alltoall(send.data(), kCount, MPI_INT, recv.data(), kCount, MPI_INT, by);
  });
  expect_equal({"doubling_123", "chain:segments=2"}, [&](const Choice& by) {
    return world.exscan(send.data(), recv.data(), kCount, MPI_INT, MPI_SUM, by);
  });
  expect_equal({"doubling", "native:exscan+reduce_local"}, [&](const Choice& by) {
    return world.scan(send.data(), recv.data(), kCount, MPI_INT, MPI_SUM, by);
  });
  expect_equal({"binomial", "linear"}, [&](const Choice& by) {
    return world.gather(send.data(), kCount, MPI_INT, recv.data(), kCount, MPI_INT, root, by);
  });
  expect_equal({"binomial"}, [&](const Choice& by) {
    return world.reduce(send.data(), recv.data(), kCount, MPI_INT, MPI_MAX, root, by);
  });
  expect_equal({"ring", "pairwise"}, [&](const Choice& by) {
    return world.reduce_scatter_block(send.data(), recv.data(), kCount, MPI_INT, MPI_SUM, by);
  });
  expect_equal({"binomial", "linear"}, [&](const Choice& by) {
    return world.scatter(send.data(), kCount, MPI_INT, recv.data(), kCount, MPI_INT, root, by);
  });
}

TEST_F(Collectives, InPlaceDoAsMpiDoes) {
  Ints& buffer = send;
  const auto by = [&](const Choice& choice) {
    std::iota(buffer.begin(), buffer.end(), me);
    world.allreduce(MPI_IN_PLACE, buffer.data(), kCount, MPI_INT, MPI_SUM, choice).run();
    world
        .bcast(buffer.data(), kCount, MPI_INT, procs - 1,
               choice.text() == "native" ? choice : "binomial")
        .run();
    return buffer;
  };
  EXPECT_EQ(by("recursive_doubling"), by("native"));
  EXPECT_EQ(by("native:reduce+bcast"), by("native"));
}

TEST_F(Collectives, OfUnequalSharesDoAsMpiDoes) {
  const Ints counts = counts_of(procs);
  const Ints displs = displs_of(counts);
  const int mine = counts[static_cast<std::size_t>(me)];
  const int root = procs / 2;
  // Counts and displacements are those of the moment of binding.
  const auto bound_to_copies = [&](const auto& bind) {
    Ints copied_counts = counts;
    Ints copied_displs = displs;
    Bound bound = bind(copied_counts.data(), copied_displs.data());
    copied_counts.assign(counts.size(), std::numeric_limits<int>::max());
    copied_displs.assign(counts.size(), -1);
    return bound;
  };
  expect_equal({"ring", "bruck"}, [&](const Choice& by) {
    return bound_to_copies([&](const int* counted, const int* placed) {
      return world.allgatherv(send.data(), mine, MPI_INT, recv.data(), counted, placed, MPI_INT,
                              by);
    });
  });
  // Ranks i and j exchange as many elements each way: the counts of rank (i + j) mod p.
  Ints exchanged;
  for (int rank = 0; rank < procs; ++rank) {
    exchanged.push_back(counts[static_cast<std::size_t>((me + rank) % procs)]);
  }
  const Ints places = displs_of(exchanged);
  expect_equal({"linear", "pairwise"}, [&](const Choice& by) {
    return world.alltoallv(send.data(), exchanged.data(), places.data(), MPI_INT, recv.data(),
                           exchanged.data(), places.data(), MPI_INT, by);
  });
  expect_equal({"linear", "binomial"}, [&](const Choice& by) {
    return bound_to_copies([&](const int* counted, const int* placed) {
      const bool here = me == root;
      return world.gatherv(send.data(), mine, MPI_INT, recv.data(), here ? counted : nullptr,
                           here ? placed : nullptr, MPI_INT, root, by);
    });
  });
  expect_equal({"pairwise", "ring"}, [&](const Choice& by) {
    return bound_to_copies([&](const int* counted, const int*) {
      return world.reduce_scatter(send.data(), recv.data(), counted, MPI_INT, MPI_SUM, by);
    });
  });
  expect_equal({"linear", "binomial"}, [&](const Choice& by) {
    return bound_to_copies([&](const int* counted, const int* placed) {
      return world.scatterv(send.data(), counted, placed, MPI_INT, recv.data(), mine, MPI_INT, root,
                            by);
    });
  });
}

/// Sums of vectors of their own, each by another algorithm.
class Sums : public Collectives {
 protected:
  Sums() {
    for (std::size_t i = 0; i < names.size(); ++i) {
      in.emplace_back(kLong, static_cast<int>(i) + me);
      out.emplace_back(kLong, -1);
      bound.push_back(
          world.allreduce(in[i].data(), out[i].data(), kLong, MPI_INT, MPI_SUM, names[i]));
    }
  }
  [[nodiscard]] std::vector<Request> start() {
    for (Ints& each : out) each.assign(kLong, -1);
    std::vector<Request> requests;
    for (const Bound& sum : bound) requests.push_back(sum.start());
    return requests;
  }
  void expect_right() const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const int sum = procs * (procs - 1) / 2 + procs * static_cast<int>(i);
      EXPECT_EQ(out[i], Ints(kLong, sum)) << names[i];
    }
  }
  /// Another order on each rank.
  [[nodiscard]] std::size_t turn(std::size_t i) const {
    return names.size() - 1 - (i + static_cast<std::size_t>(me)) % names.size();
  }

  static constexpr int kLong = 20'000;  // for most messages the sender waits for the receiver
  const std::vector<std::string> names{"ring",   "recursive_doubling",
                                       "native", "reduce_bcast",
                                       "ring",   "halving_doubling:reorder_ranks=rr"};
  std::vector<Ints> in;
  std::vector<Ints> out;
  std::vector<Bound> bound;
};

TEST_F(Sums, EndByTestsInAnyOrder) {
  for (int round = 0; round < 2; ++round) {
    std::vector<Request> requests = start();
    EXPECT_EQ(requests[1].algorithm(), "recursive_doubling");
    EXPECT_THROW(static_cast<void>(bound[0].start()), std::runtime_error);
    std::size_t ended = 0;
    while (ended < requests.size()) {
      ended = 0;
      for (std::size_t i = 0; i < requests.size(); ++i) ended += requests[turn(i)].test() ? 1 : 0;
      sched_yield();
    }
    expect_right();
  }
}

TEST_F(Sums, AreWaitedForInAnyOrder) {
  std::vector<Request> requests = start();
  for (std::size_t i = 0; i < requests.size(); ++i) requests[turn(i)].wait();
  expect_right();
  requests = start();
  for (std::size_t i = 0; i < requests.size(); ++i) finish(std::move(requests[turn(i)]));
  expect_right();
  {
    const std::vector<Request> left = start();  // their destructors wait
  }
  expect_right();
}

TEST_F(Sums, GoOnWhileACollectiveBlocks) {
  int last = me;
  const Bound passed = world.bcast(&last, 1, MPI_INT, procs - 1, "binomial");
  std::vector<Request> requests = start();
  if (me % 2 == 0) requests.clear();
  passed.run();
  EXPECT_EQ(last, procs - 1);
  requests.clear();
  expect_right();
}

TEST_F(Sums, OutliveTheirBinding) {
  Ints all(kLong, -1);
  Request request =
      world.allreduce(in[0].data(), all.data(), kLong, MPI_INT, MPI_SUM, "ring").start();
  request = bound[1].start();  // waits for the first
  EXPECT_EQ(all, Ints(kLong, procs * (procs - 1) / 2));
  const Request moved = std::move(request);
}

TEST_F(Collectives, OfManyDatatypesAreStarted) {
  const auto processes = static_cast<std::size_t>(procs);
  const Ints counts(processes, 1);
  Ints displs(processes);  // in bytes
  for (std::size_t i = 0; i < processes; ++i) displs[i] = static_cast<int>(i * sizeof(int));
  const std::vector<MPI_Datatype> types(processes, MPI_INT);
  expect_equal({"linear", "pairwise"}, [&](const Choice& by) {
    return world.alltoallw(send.data(), counts.data(), displs.data(), types.data(), recv.data(),
                           counts.data(), displs.data(), types.data(), by);
  });
  finish(world.barrier("dissemination").start());
}

TEST_F(Collectives, WithoutANonBlockingFormAreNotStarted) {
  int value = 0;
  const Bound sum =
      world.allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, "native:reduce+bcast");
  EXPECT_THROW(static_cast<void>(sum.start()), std::runtime_error);
}

TEST_F(Collectives, WithoutATableAreTheLibrarysOwn) {
  EXPECT_EQ(world.barrier().algorithm(), "native");
  world.barrier().run();
  world.barrier("dissemination").run();
}

#ifndef OPEN_MPI  // which chooses when a communicator is made
TEST_F(Collectives, ByAnAlgorithmOfTheLibraryDoAsMpiDoes) {
  if (procs == 1) GTEST_SKIP();
  expect_equal({"mpich:recursive_doubling", "mpich:smp"}, [&](const Choice& by) {
    return world.allreduce(send.data(), recv.data(), kCount, MPI_INT, MPI_SUM, by);
  });
}
#endif

/// As in a header that `breakeven tune` writes.
enum class Algorithm { native, ring };
constexpr std::string_view name(Algorithm algorithm) {
  return algorithm == Algorithm::ring ? "ring" : "native";
}
struct HeaderChoice {
  Algorithm algorithm = Algorithm::native;
  std::string_view params{};
};

TEST_F(Collectives, TakeTheChoiceOfAHeader) {
  const auto by = [&](HeaderChoice choice) {
    return world.allreduce(MPI_IN_PLACE, send.data(), 1, MPI_INT, MPI_SUM, choice).algorithm();
  };
  EXPECT_EQ(by({}), "native");
  EXPECT_EQ(by({Algorithm::ring}), "ring");
  EXPECT_EQ(by({Algorithm::ring, "segments=4"}), "ring:segments=4");
}

TEST_F(Collectives, RefuseInOneLineWhatCannotRun) {
  int value = 0;
  const auto refusal = [](const auto& bind) -> std::string {
    try {
      static_cast<void>(bind());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  const auto expect = [&](const std::string& said, const auto& bind) {
    const std::string refused = refusal(bind);
    EXPECT_NE(refused.find(said), std::string::npos) << refused;
    EXPECT_EQ(refused.find('\n'), std::string::npos) << refused;
  };
  expect("allreduce/recursive_doubling, which", [&] {
    return world.allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, "openmpi:recursive_doubling");
  });
  expect("barrier has no mock-up 'native:allreduce'",
         [&] { return world.barrier("native:allreduce"); });
  expect("rin", [&] { return world.barrier("rin"); });
  expect("root -1", [&] { return world.bcast(&value, 1, MPI_INT, -1); });
  expect("allreduce",
         [&] { return world.allreduce(MPI_IN_PLACE, &value, -1, MPI_INT, MPI_SUM, "ring"); });
  expect("rank order", [&] {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 0, &op);
    return world.allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, op, "ring");
  });
  if (procs > 1) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    const bool low = me < procs / 2;
    MPI_Comm_split(MPI_COMM_WORLD, low ? 0 : 1, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? procs / 2 : 0, 0, &between);
    expect("two groups", [&] { return Communicator{between}; });
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
  }
  expect("no-such-table.json", [] { return Table{"no-such-table.json", MPI_COMM_WORLD}; });
}

}  // namespace
}  // namespace breakeven::api
