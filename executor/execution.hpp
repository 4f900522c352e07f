// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "executor/binding.hpp"
#include "kernels/call.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// One rank's schedule bound to its buffers, ready to run any number of times.
///
/// Everything that is not communication happens in the constructor. `run()` allocates nothing and
/// checks nothing but MPI's status, so it may stand inside a timed region.
class Execution {
 public:
  /// Not collective. `input` and `output` are as in bind_schedule() and must outlive this object.
  /// @param comm  as many ranks as the call has, numbered alike; no messages with tag 0 of others
  ///              during run()
  /// @throws UsageError, Error as bind_schedule() does; Error when `comm` does not fit the call.
  Execution(const Schedule& schedule, const CollectiveCall& call, std::span<const std::byte> input,
            std::span<std::byte> output, MPI_Comm comm);

  /// Collective. Performs the schedule once; this rank's output is complete on return. Messages of
  /// no bytes are sent too, so that every send meets its receive.
  /// @throws Error naming the MPI call that failed; messages may still be under way then, so that
  ///         only MPI_Abort is left.
  void run();

 private:
  void exchange(const BoundRound& round);
  void perform(const BoundCopy& copy) const;
  void perform(const BoundReduce& reduce) const;

  BoundSchedule bound_;
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;  ///< room for the busiest round
};

}  // namespace breakeven
