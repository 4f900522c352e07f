// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "executor/arena.hpp"
#include "executor/memory.hpp"
#include "executor/program.hpp"
#include "kernels/call.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::executor {

/// Where the messages of a plan travel, apart from all others.
struct Channel {
  MPI_Comm comm = MPI_COMM_NULL;  ///< returns errors
  int tag = 0;
  MPI_Comm members = MPI_COMM_NULL;  ///< which numbers the plan's processes; null: comm does
};

/// One rank's schedule bound to a communicator and to the layout of its buffers, ready to run any
/// number of times on any buffers of that layout.
///
/// Everything that is not communication happens in the constructor. `run()` allocates nothing and
/// checks nothing but MPI's status, so it may stand inside a timed region.
class Plan {
 public:
  /// Not collective.
  /// @param channel  as many members as the call has; no other messages while the plan runs
  /// @param arena  of plans that never run at the same time as this one
  /// @throws Error as bind_schedule() does, when the channel does not fit the call, or when MPI
  /// refuses
  ///         to make a datatype.
  Plan(const kernels::Schedule& schedule, const kernels::CollectiveCall& call, const Memory& memory,
       const Elements& elements, Channel channel, std::shared_ptr<Arena> arena);
  /// Of a call of a predefined datatype and operation, on the buffers that memory_of() says.
  /// @throws UsageError also, when MPI does not define the operation on the datatype.
  Plan(const kernels::Schedule& schedule, const kernels::CollectiveCall& call, MPI_Comm comm);

  /// Collective. Performs the schedule once; this rank's output is complete on return. Messages of
  /// no bytes are sent too, so that every send meets its receive.
  /// @param input   not used by a plan in place
  /// @param op      the operation, where the library performs it
  /// @throws Error naming the MPI call that failed; messages may still be under way then, so that
  ///         only MPI_Abort is left.
  void run(const void* input, void* output, MPI_Op op = MPI_OP_NULL);

 private:
  using Addresses = std::array<std::byte*, 3>;  // of each Buffer

  void exchange(const ProgramRound& round, const Message* messages, const Addresses& at);
  void post_many(const ProgramRound& round, const Message* messages, const Addresses& at);
  void perform(const LocalStep& step, const Addresses& at, MPI_Op op) const;
  void copy_typed(const Message& from, const Message& into, const Addresses& at) const;
  void reduce_by_library(const LocalStep& step, const Addresses& at, MPI_Op op) const;

  Program program_;
  Elements elements_;
  std::ptrdiff_t extent_;  ///< of the elements that are reduced
  MPI_Comm comm_;
  int tag_;
  std::shared_ptr<Arena> arena_;
  std::ptrdiff_t scratch_begin_ = 0;   ///< of the scratch buffer in the arena, in bytes
  std::vector<MPI_Request> requests_;  ///< room for the busiest round
};

}  // namespace breakeven::executor
