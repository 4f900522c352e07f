// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "executor/mpi_error.hpp"
#include "kernels/call.hpp"
#include "mock_ups/composed/compose.hpp"

namespace breakeven::composed {

/// A call and what its mock-ups need of it. Copies share `kept`.
struct MockUpCall {
  int count;  ///< elements, as MPI counts them: the vector's, or one block's
  MPI_Datatype type;
  std::size_t extent;
  MPI_Op op;
  int root;
  int me;
  int procs;
  MPI_Comm comm;
  kernels::IntBlocks blocks;                       ///< of all processes in the vector
  int longest;                                     ///< of the blocks
  int total;                                       ///< elements of all blocks
  std::shared_ptr<std::vector<std::byte>> kept{};  ///< between the parts; see keep()

  [[nodiscard]] bool at_root() const { return me == root; }
  [[nodiscard]] int own() const { return blocks.own; }
  /// The rank whose block is the longest.
  [[nodiscard]] int longest_at() const;
  [[nodiscard]] int bytes(int elements) const { return elements * static_cast<int>(extent); }
  [[nodiscard]] std::size_t place(int elements) const {
    return static_cast<std::size_t>(elements) * extent;
  }
  /// Where this rank's block begins in a vector.
  [[nodiscard]] std::size_t own_place() const {
    return place(blocks.displacements[static_cast<std::size_t>(me)]);
  }
  /// Room for these elements, all zero: a value of every datatype.
  [[nodiscard]] std::byte* keep(std::int64_t elements);

  /// Between a vector of blocks and one of blocks padded to the longest.
  void pad(const std::byte* vector, std::byte* padded) const;
  void strip(const std::byte* padded, std::byte* vector) const;
};

/// Null where they have none of these terms.
[[nodiscard]] Run collecting_mock_up(std::string_view terms, Collective collective,
                                     MockUpCall call);
[[nodiscard]] Run reducing_mock_up(std::string_view terms, Collective collective, MockUpCall call);
[[nodiscard]] Run spreading_mock_up(std::string_view terms, Collective collective, MockUpCall call);

}  // namespace breakeven::composed
