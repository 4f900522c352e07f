// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "executor/memory.hpp"
#include "executor/program.hpp"
#include "kernels/call.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::executor {

/// Memory that plans use between their steps. Plans that never run at the same time share one, as
/// large as the largest needs.
class Arena {
 public:
  static constexpr std::align_val_t kAlignment{64};

  /// Makes room for `bytes` and touches it. Its contents are lost when it grows.
  void reserve(std::size_t bytes) {
    if (bytes <= size_) return;
    memory_.reset();
    size_ = 0;
    memory_.reset(static_cast<std::byte*>(::operator new(bytes, kAlignment)));
    size_ = bytes;
    std::memset(memory_.get(), 0, bytes);
  }
  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  struct Delete {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
  };
  std::unique_ptr<std::byte, Delete> memory_;
  std::size_t size_ = 0;
};

/// Where the messages of plans travel, apart from all others, and the memory of these plans.
struct Channel {
  MPI_Comm comm = MPI_COMM_NULL;  ///< returns errors
  int tag = 0;
  MPI_Comm members = MPI_COMM_NULL;  ///< numbers the plan's processes; null: comm does
  std::shared_ptr<Arena> arena = std::make_shared<Arena>();  ///< plans run one at a time
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
  /// @throws Error as bind_schedule() does, when the channel does not fit the call, or when MPI
  ///         refuses to make a datatype.
  Plan(const kernels::Schedule& schedule, const kernels::CollectiveCall& call, const Memory& memory,
       const Elements& elements, const Channel& channel);
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
  void post(const ProgramRound& round, const Message* messages, const Addresses& at);
  void wait(const ProgramRound& round);
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
