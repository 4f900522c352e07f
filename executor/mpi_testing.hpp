// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "executor/mpi_call.hpp"
#include "executor/program.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::executor::testing_mpi {

/// A datatype whose data are ints, with gaps or without.
struct IntType {
  std::string_view name;
  int ints;  ///< in one element
  DerivedType derived;
  MPI_Datatype type;
};

/// MPI_INT; two ints together, in the wrong order, with a gap, behind a lower bound; three ints
/// with a gap, which the units cut that data is moved in; an int with padding; two ints so far
/// apart that up to 100 elements interleave. Six ints are a whole number of elements of each.
[[nodiscard]] std::vector<IntType> int_types();

/// A buffer of elements of a datatype among bytes that must not be written.
class TypedBuffer {
 public:
  TypedBuffer(MPI_Datatype type, std::int64_t elements);

  [[nodiscard]] std::byte* data() { return memory_.data() + begin_; }
  /// @param at  the element that the values begin at
  void write(const std::vector<int>& values, std::int64_t at = 0);
  [[nodiscard]] std::vector<int> read(std::int64_t ints, std::int64_t at = 0);
  /// Whether every byte that belongs to none of its elements is as it was.
  [[nodiscard]] bool gaps_untouched() const;

 private:
  MPI_Datatype type_;
  MPI_Aint extent_ = 0;
  int ints_ = 0;
  std::size_t begin_ = 0;
  std::vector<std::byte> memory_;
  std::vector<bool> gap_;
};

/// Element `i` of what rank `rank` contributes: different for all that a test compares.
[[nodiscard]] int value(int rank, std::int64_t i);
[[nodiscard]] std::vector<int> values(int rank, std::int64_t first, std::int64_t count);

/// Performs a call by an algorithm. Collective.
void run_call(const kernels::Instance& by, MpiCall call);

/// Calls `check` with every algorithm of a collective, and every variant of it, that runs here.
void for_every_choice(Collective collective, int procs,
                      const std::function<void(const kernels::Instance&)>& check);
/// The first, the last and a rank between.
[[nodiscard]] std::vector<int> roots_of(int procs);

}  // namespace breakeven::executor::testing_mpi
