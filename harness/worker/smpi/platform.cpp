// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <simgrid/s4u/Actor.hpp>
#include <utility>

#include "core/error.hpp"
#include "executor/charge.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/reduce_kernel.hpp"
#include "harness/worker/candidate.hpp"
#include "harness/worker/library_choice.hpp"
#include "harness/worker/start/scheduled_start.hpp"
#include "harness/worker/tasks.hpp"

namespace breakeven::worker {

namespace {

/// The function of a user's operation, for MPI.
template <Op op>
void reduce_and_charge(void* in, void* inout, int* count, MPI_Datatype* type) {
  const std::optional<Datatype> datatype = executor::datatype_of(*type);
  if (!datatype) throw Error("native: a reduction of a datatype that is not predefined");
  auto* into = static_cast<std::byte*>(inout);
  executor::reduce_kernel(op, *datatype)(static_cast<const std::byte*>(in), into, into,
                                         static_cast<std::size_t>(*count));
  executor::charge_reduction(*count * extent(*datatype).value);
}

template <std::size_t... Index>
constexpr auto functions_of(std::index_sequence<Index...>) {
  return std::array<MPI_User_function*, sizeof...(Index)>{
      reduce_and_charge<static_cast<Op>(Index)>...};
}

MPI_Op make_op(Op op) {
  static constexpr auto kFunctions = functions_of(std::make_index_sequence<kOps.entries.size()>{});
  constexpr int kCommutes = 1;
  MPI_Op made = MPI_OP_NULL;
  executor::check_mpi(MPI_Op_create(kFunctions.at(static_cast<std::size_t>(op)), kCommutes, &made),
                      "MPI_Op_create");
  return made;
}

}  // namespace

MPI_Op native_op(Op op) {
  if (op == Op::none || executor::gamma_per_byte() == 0) return executor::mpi_op(op);
  static std::map<Op, MPI_Op> made;  // of this rank, for as long as it runs
  const auto found = made.find(op);
  return found != made.end() ? found->second : made.emplace(op, make_op(op)).first->second;
}

/// All ranks are this process. SMPI's MPI_Abort would end them with status 0.
void abort_all(std::string_view program, std::string_view words, int status) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::cerr << fmt::format("{}: rank {}: {}\n", program, rank, words) << std::flush;
  std::_Exit(status);
}

void yield_core(Seconds left, bool /*cores_are_shared*/) {
  constexpr double kLeast = 1e-12;  // a sum of times may stay below the moment by a rounding error
  simgrid::s4u::this_actor::sleep_for(std::max(left.value, kLeast));
}

std::vector<protocol::NodeFacts> inspect(const protocol::InspectRequest& /*request*/,
                                         const executor::Communicator& /*comm*/) {
  throw UsageError("a simulated platform has no nodes to look at");
}

// SMPI's algorithms are chosen once, on smpirun's command line.
LibraryCapabilities library_capabilities() { return {}; }

/// SMPI reads no tables.
protocol::ReadBack read_back(const protocol::ReadBackRequest& /*request*/) { return {}; }

std::unique_ptr<executor::Communicator> duplicate_without_table(MPI_Comm /*comm*/) {
  throw UsageError("SMPI has no tables");
}

}  // namespace breakeven::worker
