// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "executor/expectation.hpp"
#include "executor/plan.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven {
namespace {

constexpr std::int64_t kCounts[] = {0, 1, 7, 1000, 40001};

struct Kind {
  Op op = Op::none;
  Datatype datatype = Datatype::int_;
};

/// One of each class: what an algorithm does depends on the size of the elements, and whether it
/// combines the right ones shows with any operation. The kernels have tests of their own.
constexpr Datatype kDatatypesOfCases[] = {
    Datatype::byte,    Datatype::short_,          Datatype::int_,       Datatype::double_,
    Datatype::logical, Datatype::c_float_complex, Datatype::double_int, Datatype::long_double_int};

std::vector<Kind> kinds_of(Collective collective) {
  std::vector<Kind> kinds;
  for (const auto& op : kOps.entries) {
    if (reduces(collective) != (op.value != Op::none)) continue;
    for (const Datatype datatype : kDatatypesOfCases) {
      if (defined(op.value, datatype)) kinds.push_back({op.value, datatype});
    }
  }
  return kinds;
}

std::vector<Rank> roots_of(Collective collective, int procs) {
  std::vector<Rank> roots{Rank{0}};
  if (!rooted(collective)) return roots;
  if (procs > 1) roots.push_back(Rank{procs - 1});
  if (procs > 2) roots.push_back(Rank{procs / 2});
  return roots;
}

std::size_t bytes(const CollectiveCall& call, std::int64_t elements) {
  return static_cast<std::size_t>(elements * extent(call.datatype).value);
}

/// A call's buffers: one of a broadcast, as MPI has it.
struct Buffers {
  explicit Buffers(const CollectiveCall& call)
      : output(bytes(call, output_elements(call))), apart(bytes(call, input_elements(call))) {
    poison(call, output);
    if (memory_of(call).input_in_output) input = std::span{output}.first(apart.size());
    fill_input(call, input);
  }

  std::vector<std::byte> output;
  std::vector<std::byte> apart;
  std::span<std::byte> input{apart};
};

/// Runs one plan on two pairs of buffers and returns what is wrong with this rank's data.
std::optional<std::string> wrong_data(const Algorithm& algorithm, const CollectiveCall& call,
                                      MPI_Comm comm) {
  Plan plan{build_schedule(algorithm, call.problem), call, comm};
  for (int run = 0; run < 2; ++run) {
    Buffers buffers{call};
    const std::vector<std::byte> before = buffers.apart;
    plan.run(buffers.input.data(), buffers.output.data());
    if (auto wrong = check_output(call, buffers.output))
      return "run " + std::to_string(run) + ", " + *wrong;
    if (buffers.apart != before) return "run " + std::to_string(run) + " changed the input";
  }
  return std::nullopt;
}

void expect_right_data(const Algorithm& algorithm, CollectiveCall call, MPI_Comm comm) {
  const std::optional<std::string> wrong = wrong_data(algorithm, call, comm);
  EXPECT_EQ(wrong, std::nullopt) << kCollectives.of(call.problem.collective) << '/'
                                 << algorithm.name << " count " << call.count << ' '
                                 << kDatatypes.of(call.datatype) << ' ' << kOps.of(call.op)
                                 << " root " << call.problem.root.value << ": " << *wrong;
}

void expect_right_data(const Algorithm& algorithm, const Problem& problem, MPI_Comm comm) {
  for (const Kind& kind : kinds_of(problem.collective)) {
    for (const std::int64_t count : kCounts) {
      expect_right_data(
          algorithm,
          CollectiveCall{
              .problem = problem, .count = count, .datatype = kind.datatype, .op = kind.op},
          comm);
    }
  }
}

class EveryCollective : public testing::TestWithParam<Collective> {};

TEST_P(EveryCollective, EveryAlgorithmGivesTheResultOfArithmeticTwiceInARow) {
  const Communicator comm{MPI_COMM_WORLD};
  for (const Algorithm* algorithm : catalogue(GetParam())) {
    if (!runs(*algorithm, {.procs = comm.procs()})) continue;
    for (const Rank root : roots_of(GetParam(), comm.procs())) {
      expect_right_data(
          *algorithm,
          Problem{.collective = GetParam(), .procs = comm.procs(), .me = comm.me(), .root = root},
          comm.get());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Executor, EveryCollective,
                         testing::Values(Collective::allgather, Collective::allreduce,
                                         Collective::barrier, Collective::bcast, Collective::gather,
                                         Collective::reduce, Collective::reduce_scatter_block,
                                         Collective::scatter),
                         [](const auto& test) { return std::string{kCollectives.of(test.param)}; });

CollectiveCall bcast_of(const Communicator& comm, std::int64_t count) {
  return {.problem = {.collective = Collective::bcast,
                      .procs = comm.procs(),
                      .me = comm.me(),
                      .root = Rank{0}},
          .count = count,
          .datatype = Datatype::int_,
          .op = Op::none};
}

TEST(Plan, SurvivesAMove) {
  const Communicator comm{MPI_COMM_WORLD};
  const CollectiveCall call{.problem = {.collective = Collective::allreduce,
                                        .procs = comm.procs(),
                                        .me = comm.me(),
                                        .root = {}},
                            .count = 1000,
                            .datatype = Datatype::double_,
                            .op = Op::sum};
  std::vector<std::byte> input(bytes(call, call.count));
  std::vector<std::byte> output(input.size());
  fill_input(call, input);
  const Algorithm& ring = find_algorithm(Collective::allreduce, "ring");
  Plan first{ring.build(call.problem), call, comm.get()};
  Plan second = std::move(first);
  second.run(input.data(), output.data());
  EXPECT_EQ(check_output(call, output), std::nullopt);
}

TEST(Plan, RefusesACommunicatorThatDoesNotFit) {
  const Communicator comm{MPI_COMM_WORLD};
  CollectiveCall call = bcast_of(comm, 1);
  call.problem.procs += 1;
  call.problem.root = Rank{comm.procs()};
  const Schedule nothing{.blocks = 1, .scratch = {}, .rounds = {}};
  EXPECT_THROW((Plan{nothing, call, comm.get()}), Error);
}

}  // namespace
}  // namespace breakeven
