// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::executor {

/// All runs of one message, in one buffer. It may be shorter than the room of its receive.
struct BoundMessage {
  int peer = 0;
  kernels::Buffer buffer = kernels::Buffer::input;
  std::vector<kernels::BlockRange> runs{};  ///< neighbours together; none without blocks
};

struct BoundRound {
  std::vector<BoundMessage> recvs{};
  std::vector<BoundMessage> sends{};
  /// While messages are under way: they neither read what arrives nor write what leaves.
  std::vector<kernels::Local> meanwhile{};
  std::vector<kernels::Local> local{};  ///< after all of them
};

/// A schedule made ready for a kind of call: the same for any sizes and buffers of it. Blocks stay
/// blocks, so that the passes below reason about whole blocks; BlockMap finds them in memory.
struct BoundSchedule {
  int blocks = 1;
  int first_input = 0;  ///< the first block that this rank's input holds, and its output
  int first_output = 0;
  std::vector<int> slots{};  ///< the block of each slot of scratch; kAnyBlock: it takes any
  std::vector<BoundRound> rounds{};

  static constexpr int kAnyBlock = kernels::ScratchRun::kAnyBlock;

  /// The block of the vector that lies there, or kAnyBlock.
  [[nodiscard]] int block_at(kernels::Location at) const {
    if (at.buffer == kernels::Buffer::input) return first_input + at.block;
    if (at.buffer == kernels::Buffer::output) return first_output + at.block;
    return slots[static_cast<std::size_t>(at.block)];
  }
  /// Whether some of these are slots that take any block.
  [[nodiscard]] bool takes_any(kernels::Location at, int count) const {
    for (int i = 0; i < count; ++i) {
      if (block_at({at.buffer, at.block + i}) == kAnyBlock) return true;
    }
    return false;
  }
  /// Appends slots for blocks that lie one after the other to the scratch; the first of them.
  [[nodiscard]] kernels::Location add_slots(kernels::Location at, int count) {
    const kernels::Location first = kernels::scratch(static_cast<int>(slots.size()));
    for (int i = 0; i < count; ++i) slots.push_back(block_at({at.buffer, at.block + i}));
    return first;
  }
};

/// The properties of a call's buffers that change a schedule.
struct Form {
  bool in_place = false;         ///< the input lies in the output
  bool output_unwanted = false;  ///< it is already where it belongs
  /// Blocks begin within elements of the buffer's datatype, which only whole ones can be sent of.
  bool cuts_input = false;
  bool cuts_output = false;
};

/// Checks what the schedule names, and makes it fit the form of the call: the input is found in the
/// output or kept aside where the schedule would read it too late in place, and so is a buffer
/// whose elements it would cut. Copies of a place to itself are left out.
///
/// @throws Error when the schedule names what its buffers do not hold.
[[nodiscard]] BoundSchedule bind_schedule(kernels::Schedule schedule,
                                          const kernels::Problem& problem, const Form& form = {});

/// The schedule with arrivals that are only reduced received where the result will be, as far as
/// nothing there is needed any more. One range of memory then passes through the caches, not two.
///
/// @param commutative  the operation commutes: else an arrival that is the first operand stays in
///                     its place, as MPI_Reduce_local writes its result over the second
[[nodiscard]] BoundSchedule with_direct_arrivals(BoundSchedule schedule, bool commutative);

/// The schedule with every reduction in the form of MPI_Reduce_local, whose second operand is the
/// result: into == b. Elsewhere the operands change places if they may, or one is copied first;
/// scratch grows by the room for that copy.
[[nodiscard]] BoundSchedule with_two_operands(BoundSchedule schedule, bool commutative);

/// The schedule with each message of several runs and at most `most` blocks in one place of
/// scratch: copies are faster there than the library's work on a datatype of several runs.
[[nodiscard]] BoundSchedule with_packed_runs(BoundSchedule schedule, int most);

/// The schedule with local steps of at least `least` blocks while messages are under way, as far as
/// they may: of the messages before and after them. A copy's origin is sent in place of
/// the copy, which may wait then.
[[nodiscard]] BoundSchedule with_overlap(BoundSchedule schedule, int least);

}  // namespace breakeven::executor
