// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "executor/mpi_error.hpp"
#include "harness/worker/native.hpp"
#include "harness/worker/workspace.hpp"

namespace breakeven::worker {

/// The work of the workspace's collective done by others of the library (mock_ups/mock_up.hpp), on
/// the workspace's buffers, which must outlive the result. What it keeps in between is allocated
/// and touched here. Calling the result is collective and throws Error naming the call that failed.
/// @throws UsageError when the collective has no such mock-up, or where MPI's int cannot count.
[[nodiscard]] std::function<void()> mock_up(std::string_view name, Workspace& workspace,
                                            MPI_Comm comm);

/// A call and what its mock-ups need of it. Copies share `kept`.
struct MockUpCall {
  const std::byte* in;
  std::byte* out;
  int count;  ///< elements, as MPI counts them: the vector's, or one block's
  MPI_Datatype type;
  std::size_t extent;
  MPI_Op op;
  int root;
  int me;
  int procs;
  MPI_Comm comm;
  Blocks blocks;                                   ///< of all processes in the vector
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
  /// Room for so many elements, all zero: a value of every datatype.
  [[nodiscard]] std::byte* keep(std::int64_t elements);

  /// Between a vector of blocks and one of blocks padded to the longest.
  void pad(const std::byte* vector, std::byte* padded) const;
  void strip(const std::byte* padded, std::byte* vector) const;
};

/// Null where they have none of this name.
[[nodiscard]] std::function<void()> collecting_mock_up(std::string_view name, Collective collective,
                                                       MockUpCall call);
[[nodiscard]] std::function<void()> reducing_mock_up(std::string_view name, Collective collective,
                                                     MockUpCall call);
[[nodiscard]] std::function<void()> spreading_mock_up(std::string_view name, Collective collective,
                                                      MockUpCall call);

}  // namespace breakeven::worker
