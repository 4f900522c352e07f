// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "executor/bound_schedule.hpp"
#include "executor/memory.hpp"
#include "executor/message.hpp"
#include "executor/reduce_kernel.hpp"

namespace breakeven::executor {

/// What the elements of a call are for MPI, beside their layout.
struct Elements {
  /// Of buffers that are not contiguous, and of what the library reduces. Must outlive the plan.
  MPI_Datatype input = MPI_DATATYPE_NULL;
  MPI_Datatype output = MPI_DATATYPE_NULL;
  MPI_Datatype scratch = MPI_DATATYPE_NULL;
  ReduceKernel kernel = nullptr;  ///< null: MPI_Reduce_local, with the operation given to run()
  bool commutative = true;        ///< of that operation
};

/// How a round's messages are posted.
enum class Shape : std::uint8_t { none, send, recv, exchange, many };

/// The steps of one round: its messages, then its local steps, follow those of the round before.
struct ProgramRound {
  Shape shape = Shape::none;
  int recvs = 0;
  int sends = 0;
  int locals = 0;
};

enum class Action : std::uint8_t { copy, copy_typed, reduce, reduce_by_library };

struct LocalStep {
  Action action = Action::copy;
  Place a{};  ///< what a copy reads
  Place b{};
  Place into{};
  std::size_t amount = 0;  ///< bytes of a copy, elements of a reduction
};

/// A bound schedule as flat lists, in the order in which they are walked.
struct Program {
  std::vector<ProgramRound> rounds{};
  std::vector<Message> messages{};  ///< of each round, receives first
  std::vector<LocalStep> locals{};
  std::vector<Message> self{};  ///< of each typed copy, what is read and what is written
  std::vector<DerivedType> types{};
  std::size_t most_messages = 0;  ///< of one round
};

/// @param me  this process, for copies between elements that are not contiguous
/// @throws Error when MPI refuses to make a datatype.
[[nodiscard]] Program program_of(const BoundSchedule& schedule, const Memory& memory,
                                 const Elements& elements, int me);

}  // namespace breakeven::executor
