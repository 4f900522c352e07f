// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "executor/block_map.hpp"
#include "executor/bound_schedule.hpp"
#include "executor/memory.hpp"
#include "executor/reduce_kernel.hpp"

namespace breakeven::executor {

/// A datatype made here, freed at the end of its scope.
class DerivedType {
 public:
  /// @param type  committed; becomes this object's
  explicit DerivedType(MPI_Datatype type) : type_{type} {}
  DerivedType(DerivedType&& other) noexcept
      : type_{std::exchange(other.type_, MPI_DATATYPE_NULL)} {}
  DerivedType& operator=(DerivedType&& other) noexcept {
    std::swap(type_, other.type_);
    return *this;
  }
  ~DerivedType() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  DerivedType(const DerivedType&) = delete;
  DerivedType& operator=(const DerivedType&) = delete;

  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_;
};

/// A message as MPI takes it.
struct Message {
  int peer = 0;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  kernels::Buffer buffer = kernels::Buffer::input;
  std::ptrdiff_t offset = 0;  ///< of its first element from the buffer's beginning, in bytes
};

/// A share of a datatype and place of its own, as alltoallw has them. To binding such shares are
/// bytes, one share after the other.
struct TypedShare {
  std::int64_t bytes = 0;  ///< of data, never 0
  std::int64_t count = 0;  ///< elements
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::ptrdiff_t offset = 0;  ///< from the buffer's beginning, in bytes
};

/// The elements of a call as MPI knows them; their layout is in Memory.
struct Elements {
  /// Of buffers that are not contiguous, and of what the library reduces. Must outlive the plan.
  MPI_Datatype input = MPI_DATATYPE_NULL;
  MPI_Datatype output = MPI_DATATYPE_NULL;
  MPI_Datatype scratch = MPI_DATATYPE_NULL;
  /// Of an alltoallw, without empty ones.
  std::vector<TypedShare> input_shares{};
  std::vector<TypedShare> output_shares{};
  ReduceKernel kernel = nullptr;  ///< null: MPI_Reduce_local, with the operation given to run()
  bool commutative = true;        ///< of that operation

  [[nodiscard]] MPI_Datatype of(kernels::Buffer buffer) const {
    return buffer == kernels::Buffer::input    ? input
           : buffer == kernels::Buffer::output ? output
                                               : scratch;
  }
  [[nodiscard]] std::span<const TypedShare> shares(kernels::Buffer buffer) const {
    if (buffer == kernels::Buffer::scratch) return {};
    return buffer == kernels::Buffer::input ? input_shares : output_shares;
  }
};

/// An MPI call in the terms of schedules and memory.
struct CallTerms {
  kernels::CollectiveCall call{};
  Memory memory{};
  Elements elements{};
  // The bytes of each share of an irregular call's data, and of what an alltoallv sends.
  std::vector<std::int64_t> shares{};
  std::vector<std::int64_t> sent{};
};

/// A message of these pieces of a buffer: bytes where it is contiguous, else elements of its
/// datatype; what has several pieces, or more elements than an int can count, becomes one element
/// of a type of its own.
///
/// @param made  gets the type that had to be made, which the message refers to
/// @throws Error when MPI refuses to make it, or when a part of a typed share is sent.
[[nodiscard]] Message message_of(int peer, kernels::Buffer buffer, std::span<const Piece> pieces,
                                 const CallTerms& terms, std::vector<DerivedType>& made);

/// How a round's messages are sent and received: one after the other, or all at once where there
/// are many or local steps meanwhile.
enum class Shape : std::uint8_t { none, send, recv, exchange, many };

/// The steps of one round: its messages and its local steps, those meanwhile first, follow those of
/// the round before.
struct ProgramRound {
  Shape shape = Shape::none;
  int recvs = 0;
  int sends = 0;
  int meanwhile = 0;
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

/// A bound schedule for one size of call, as flat lists in the order in which they are walked.
struct Program {
  std::vector<ProgramRound> rounds{};
  std::vector<Message> messages{};  ///< of each round, receives first
  std::vector<LocalStep> locals{};
  std::vector<Message> self{};  ///< of each typed copy, what is read and what is written
  std::vector<DerivedType> types{};
  std::size_t most_messages = 0;  ///< of one round
  std::vector<Piece> from{};      ///< of the step that is being written
  std::vector<Piece> into{};
};

/// Writes the program for a size of call over the last one, in its memory. Steps without elements
/// are left out, messages without bytes are not, as their other side may not know.
///
/// @param map  of the call's memory
/// @param me   this process in the channel, for copies between elements that are not contiguous
/// @throws Error when MPI refuses to make a datatype, or when the sides of a step differ in size.
void write_program(const BoundSchedule& schedule, const BlockMap& map, const CallTerms& terms,
                   int me, Program& program);

}  // namespace breakeven::executor
