// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "executor/memory.hpp"
#include "kernels/call.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::executor {

/// A byte of a buffer. Elements below are the call's.
struct Place {
  kernels::Buffer buffer = kernels::Buffer::input;
  std::int64_t offset = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// Elements that lie one after the other.
struct Piece {
  std::int64_t offset = 0;
  std::int64_t elements = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// A message may be shorter than the room of its receive.
struct BoundMessage {
  int peer = 0;
  kernels::Buffer buffer = kernels::Buffer::input;
  std::vector<Piece> pieces{};  ///< none of a message without data
};
struct BoundCopy {
  Place from{};
  Place into{};
  std::int64_t elements = 0;
};
/// into[i] = a[i] op b[i]
struct BoundReduce {
  Place a{};
  Place b{};
  Place into{};
  std::int64_t elements = 0;
};
using BoundLocal = std::variant<BoundCopy, BoundReduce>;

struct BoundRound {
  std::vector<BoundMessage> recvs{};
  std::vector<BoundMessage> sends{};
  /// While messages are under way: they neither read what arrives nor write what leaves.
  std::vector<BoundLocal> meanwhile{};
  std::vector<BoundLocal> local{};  ///< after all of them; none without elements
};

/// A schedule whose blocks are bytes of buffers: the same for any buffers of such a call.
struct BoundSchedule {
  std::int64_t scratch_elements = 0;
  std::vector<BoundRound> rounds{};
};

/// Turns blocks into bytes of the call's buffers, and makes the schedule fit their memory: its
/// input is kept aside where the schedule would read it too late in place, and so is a buffer whose
/// elements it would cut. Datatypes and operations, `call`'s too, do not matter here.
///
/// A vector without elements, which all ranks know to be empty, leaves nothing to do.
///
/// @throws Error when the schedule names what its buffers do not hold, or when the sides of a step
///         differ in size.
[[nodiscard]] BoundSchedule bind_schedule(kernels::Schedule schedule,
                                          const kernels::CollectiveCall& call,
                                          const Memory& memory);

/// The schedule of a call in place as `memory` says: the input lies in the output buffer, so that
/// copies from a place to itself fall away, or an unwanted output is not written. The schedule
/// itself of a call that is not in place.
///
/// Bytes that really overlap count. Nothing when the schedule would read input that it has
/// overwritten or is just receiving over, or needs the unwanted output.
[[nodiscard]] std::optional<BoundSchedule> fitted_in_place(BoundSchedule schedule,
                                                           const Memory& memory);

/// The schedule with arrivals that are only reduced received where the result will be, as far as
/// nothing there is needed any more. One range of memory then passes through the caches, not two.
///
/// Only for contiguous buffers; also for calls in place, whose input already lies in the output.
/// @param commutative  the operation commutes: else an arrival that is the first operand stays in
///                     its place, as MPI_Reduce_local writes its result over the second
[[nodiscard]] BoundSchedule with_direct_arrivals(BoundSchedule schedule, const Memory& memory,
                                                 bool commutative);

/// The schedule with every reduction in the form of MPI_Reduce_local, whose second operand is the
/// result: into == b. Elsewhere the operands change places if they may, or one is copied first;
/// scratch grows by the room for that copy.
[[nodiscard]] BoundSchedule with_two_operands(BoundSchedule schedule, const Memory& memory,
                                              bool commutative);

/// The schedule with each message of several runs and at most `most` bytes in one place of scratch:
/// copies are faster there than the library's work on a datatype of several runs.
///
/// Only for contiguous buffers.
[[nodiscard]] BoundSchedule with_packed_runs(BoundSchedule schedule, const Memory& memory,
                                             Bytes most);

/// The schedule with local steps of at least `least` bytes while messages are under way, as far as
/// they may: of the messages before and after them. A copy's origin is sent in place of
/// the copy, which may wait then.
///
/// Only for contiguous buffers.
[[nodiscard]] BoundSchedule with_overlap(BoundSchedule schedule, const Memory& memory, Bytes least);

}  // namespace breakeven::executor
