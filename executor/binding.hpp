// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "executor/reduce_kernel.hpp"
#include "kernels/call.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

struct BoundRecv {
  std::byte* into = nullptr;
  int bytes = 0;  ///< the room there is; the message may be shorter
  int source = 0;
};
struct BoundSend {
  const std::byte* from = nullptr;
  int bytes = 0;
  int to = 0;
};
struct BoundCopy {
  const std::byte* from = nullptr;
  std::byte* into = nullptr;
  std::size_t bytes = 0;
};
struct BoundReduce {
  const std::byte* a = nullptr;
  const std::byte* b = nullptr;
  std::byte* into = nullptr;
  std::size_t elements = 0;
};
struct BoundRound {
  std::vector<BoundRecv> recvs;
  std::vector<BoundSend> sends;
  std::vector<std::variant<BoundCopy, BoundReduce>> local;  ///< none without elements
};

/// A schedule whose blocks have become addresses: of the caller's buffers, or of `scratch`.
struct BoundSchedule {
  std::vector<std::byte> scratch;  ///< allocated and touched; moving keeps the addresses
  std::vector<BoundRound> rounds;
  ReduceKernel reduce = nullptr;  ///< null for collectives that only move data

  BoundSchedule() = default;
  BoundSchedule(BoundSchedule&&) noexcept = default;
  BoundSchedule& operator=(BoundSchedule&&) noexcept = default;
  BoundSchedule(const BoundSchedule&) = delete;  // its addresses would be the original's
  BoundSchedule& operator=(const BoundSchedule&) = delete;
  ~BoundSchedule() = default;
};

/// The only address arithmetic of the project.
///
/// @param input   at least input_elements(call) elements
/// @param output  at least output_elements(call) elements; may be the same memory as `input` where
///                a block has the same place in both, as at a broadcast's root: a copy from a place
///                to itself is left out
/// @throws UsageError when MPI does not define the call's operation on its datatype.
/// @throws Error when the schedule names what its buffers do not hold, when the sides of a step
///         differ in size, or when a message has more bytes than MPI's int can count.
[[nodiscard]] BoundSchedule bind_schedule(const Schedule& schedule, const CollectiveCall& call,
                                          std::span<const std::byte> input,
                                          std::span<std::byte> output);

}  // namespace breakeven
