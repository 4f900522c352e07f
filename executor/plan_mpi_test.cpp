// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "executor/expectation.hpp"
#include "executor/mpi_testing.hpp"
#include "executor/mpi_types.hpp"
#include "executor/plan_of.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::executor {
namespace {

using testing_mpi::for_every_choice;
using testing_mpi::roots_of;

/// One of each class: an algorithm's steps depend on the size of the elements, and any operation
/// shows whether the right elements are combined.
constexpr Datatype kOfEachClass[] = {
    Datatype::byte,    Datatype::short_,          Datatype::int_,       Datatype::double_,
    Datatype::logical, Datatype::c_float_complex, Datatype::double_int, Datatype::long_double_int};

/// All datatypes where there are few ranks; none but int where there are many, as it says nothing
/// new there.
std::vector<Datatype> datatypes_for(int procs) {
  if (procs > 4) return {Datatype::int_};
  if (procs > 2) return {std::begin(kOfEachClass), std::end(kOfEachClass)};
  std::vector<Datatype> all;
  for (const DatatypeRow& row : kDatatypeTable) all.push_back(row.datatype);
  return all;
}

/// The calls that a problem is tested with: ints of many counts, and other elements of one.
std::vector<kernels::CollectiveCall> calls_of(const kernels::Problem& problem) {
  std::vector<kernels::CollectiveCall> calls;
  const Op plain = reduces(problem.collective) ? Op::sum : Op::none;
  for (const std::int64_t count : {0, 1, 7, 1000, 40001}) {
    if (count * problem.procs > 130'000) continue;
    calls.push_back({.problem = problem, .count = count, .datatype = Datatype::int_, .op = plain});
  }
  for (const auto& op : kOps.entries) {
    if (reduces(problem.collective) != (op.value != Op::none)) continue;
    for (const Datatype datatype : datatypes_for(problem.procs)) {
      if (!defined(op.value, datatype)) continue;
      calls.push_back({.problem = problem, .count = 7, .datatype = datatype, .op = op.value});
    }
  }
  if (!irregular(problem.collective)) return calls;
  // Shares of 0 to 3 times the count; two ranks exchange as much each way.
  const int own = personalised(problem.collective) ? problem.me.value : 0;
  for (kernels::CollectiveCall& call : calls) {
    std::vector<std::int64_t> counts;
    for (int rank = 0; rank < problem.procs; ++rank) {
      counts.push_back((own + rank + 2) % 4 * call.count);
    }
    call.begins = kernels::begins_of(counts);
    call.count = 0;
  }
  return calls;
}

std::size_t bytes(const kernels::CollectiveCall& call, std::int64_t elements) {
  return static_cast<std::size_t>(elements * extent(call.datatype).value);
}

/// A call's buffers: one of a broadcast, as MPI has it.
struct Buffers {
  explicit Buffers(const kernels::CollectiveCall& call)
      : output(bytes(call, kernels::output_elements(call))),
        apart(bytes(call, kernels::input_elements(call))) {
    poison(call, output);
    if (memory_of(call).in_place) input = std::span{output}.first(apart.size());
    fill_input(call, input);
  }

  std::vector<std::byte> output;
  std::vector<std::byte> apart;
  std::span<std::byte> input{apart};
};

/// Runs one plan on two pairs of buffers, the second time step by step, and returns what is wrong
/// with this rank's data.
std::optional<std::string> wrong_data(const kernels::Schedule& schedule,
                                      const kernels::CollectiveCall& call, MPI_Comm comm) {
  Plan plan{schedule, call, comm};
  for (int run = 0; run < 2; ++run) {
    Buffers buffers{call};
    const std::vector<std::byte> before = buffers.apart;
    if (run == 0) {
      plan.run(buffers.input.data(), buffers.output.data());
    } else {
      plan.start(buffers.input.data(), buffers.output.data());
      while (!plan.advance()) continue;
    }
    if (auto wrong = check_output(call, buffers.output))
      return "run " + std::to_string(run) + ", " + *wrong;
    if (buffers.apart != before) return "run " + std::to_string(run) + " changed the input";
  }
  return std::nullopt;
}

class EveryCollective : public ::testing::TestWithParam<Collective> {};

TEST_P(EveryCollective, EveryAlgorithmGivesTheResultOfArithmeticTwiceInARow) {
  const Communicator comm{MPI_COMM_WORLD};
  for_every_choice(GetParam(), comm.procs(), [&](const kernels::Instance& choice) {
    const kernels::Algorithm& algorithm = *choice.algorithm;
    for (const int root : rooted(GetParam()) ? roots_of(comm.procs()) : std::vector{0}) {
      const kernels::Problem problem{.collective = GetParam(),
                                     .procs = comm.procs(),
                                     .me = comm.me(),
                                     .root = Rank{root},
                                     .params = choice.params};
      const kernels::Schedule schedule = kernels::build_schedule(algorithm, problem);
      for (const kernels::CollectiveCall& call : calls_of(problem)) {
        const std::optional<std::string> wrong = wrong_data(schedule, call, comm.get());
        EXPECT_EQ(wrong, std::nullopt)
            << to_text(choice) << " count " << call.count << ' ' << kDatatypes.of(call.datatype)
            << ' ' << kOps.of(call.op) << " root " << root << ": " << *wrong;
      }
    }
  });
}

/// Performs calls of all these sizes by one plan, made for the last; the first wrong data.
std::optional<std::string> wrong_by_one_plan(const kernels::Instance& by,
                                             const std::vector<kernels::CollectiveCall>& calls,
                                             MPI_Comm comm) {
  std::optional<Plan> plan;
  const auto run = [&](const kernels::CollectiveCall& call) -> std::optional<std::string> {
    Buffers buffers{call};
    MpiCall mpi_call =
        mpi_call_of(call, buffers.input.data(), buffers.output.data(), mpi_op(call.op), comm);
    if (call.problem.collective == Collective::bcast) mpi_call.in_place = true, mpi_call.input = {};
    keep_significant(mpi_call, call.problem.me.value);
    if (!mpi_call.of_all().present()) mpi_call.shares = nullptr;
    const bool told = rooted(mpi_call.collective) && irregular(mpi_call.collective);
    const auto shares = shares_of(mpi_call, call.problem, told);
    if (plan) {
      plan->fit(mpi_call, shares);
    } else {
      plan.emplace(plan_of(*by.algorithm, call.problem, mpi_call, shares, {.comm = comm}));
    }
    plan->run(buffers.input.data(), buffers.output.data(), mpi_call.op);
    return check_output(call, buffers.output);
  };
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    if (auto wrong = run(*call)) return "downwards, " + *wrong;
  }
  for (const kernels::CollectiveCall& call : calls) {
    if (auto wrong = run(call)) return "upwards, " + *wrong;
  }
  return std::nullopt;
}

TEST_P(EveryCollective, OnePlanServesAllSizes) {
  const Communicator comm{MPI_COMM_WORLD};
  if (comm.procs() > 5) GTEST_SKIP() << "more ranks show nothing new";
  for_every_choice(GetParam(), comm.procs(), [&](const kernels::Instance& choice) {
    const kernels::Problem problem{.collective = GetParam(),
                                   .procs = comm.procs(),
                                   .me = comm.me(),
                                   .root = Rank{rooted(GetParam()) ? comm.procs() - 1 : 0},
                                   .params = choice.params};
    std::vector<kernels::CollectiveCall> calls = calls_of(problem);
    const Op op = calls.front().op;
    std::erase_if(calls, [op](const kernels::CollectiveCall& call) {
      return call.datatype != Datatype::int_ || call.op != op;
    });
    const std::optional<std::string> wrong = wrong_by_one_plan(choice, calls, comm.get());
    EXPECT_EQ(wrong, std::nullopt) << to_text(choice) << ": " << *wrong;
  });
}

std::vector<Collective> every_collective() {
  std::vector<Collective> all;
  for (const auto& [collective, name] : kCollectives.entries) all.push_back(collective);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Executor, EveryCollective, ::testing::ValuesIn(every_collective()),
                         [](const auto& test) { return std::string{kCollectives.of(test.param)}; });

kernels::CollectiveCall bcast_of(const Communicator& comm, std::int64_t count) {
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
  const kernels::CollectiveCall call{.problem = {.collective = Collective::allreduce,
                                                 .procs = comm.procs(),
                                                 .me = comm.me(),
                                                 .root = {}},
                                     .count = 1000,
                                     .datatype = Datatype::double_,
                                     .op = Op::sum};
  std::vector<std::byte> input(bytes(call, call.count));
  std::vector<std::byte> output(input.size());
  fill_input(call, input);
  const kernels::Algorithm& ring = kernels::find_algorithm(Collective::allreduce, "ring");
  Plan first{ring.build(call.problem), call, comm.get()};
  Plan second = std::move(first);
  second.run(input.data(), output.data());
  EXPECT_EQ(check_output(call, output), std::nullopt);
}

TEST(Plan, RefusesStepsWhoseSidesDiffer) {
  const Communicator comm{MPI_COMM_WORLD};
  const kernels::CollectiveCall call = bcast_of(comm, 3);
  const auto of_step = [](const kernels::Local& step) {
    return kernels::Schedule{.blocks = 2, .scratch = {{}, {}}, .rounds = {{.local = {step}}}};
  };
  const auto to_next = of_step(kernels::Copy{kernels::output(0), kernels::output(1)});
  const auto of_any = of_step(kernels::Copy{kernels::scratch(0), kernels::scratch(1)});
  EXPECT_THROW((Plan{to_next, call, comm.get()}), Error);
  EXPECT_THROW((Plan{of_any, call, comm.get()}), Error);
}

TEST(Plan, RefusesACommunicatorThatDoesNotFit) {
  const Communicator comm{MPI_COMM_WORLD};
  kernels::CollectiveCall call = bcast_of(comm, 1);
  call.problem.procs += 1;
  call.problem.root = Rank{comm.procs()};
  const kernels::Schedule nothing{.blocks = 1, .scratch = {}, .rounds = {}};
  EXPECT_THROW((Plan{nothing, call, comm.get()}), Error);
}

}  // namespace
}  // namespace breakeven::executor
