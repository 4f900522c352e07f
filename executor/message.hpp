// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "executor/bound_schedule.hpp"
#include "executor/memory.hpp"

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

/// Bytes where the buffer is contiguous, else elements of its datatype; what has several pieces, or
/// more elements than an int can count, becomes one element of a type of its own.
///
/// @param element  the buffer's datatype; not used where it is contiguous
/// @param made     gets the type that had to be made, which the message refers to
/// @throws Error when MPI refuses to make it.
[[nodiscard]] Message message_of(const BoundMessage& message, const Memory& memory,
                                 MPI_Datatype element, std::vector<DerivedType>& made);

}  // namespace breakeven::executor
