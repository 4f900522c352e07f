// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/names.hpp"
#include "core/units.hpp"

namespace breakeven::kernels {

/// `input` is only read; `output` is the result; `scratch` is private to the rank.
enum class Buffer : std::uint8_t { input, output, scratch };
inline constexpr Names<Buffer, 3> kBuffers{
    "buffer",
    {{{Buffer::input, "input"}, {Buffer::output, "output"}, {Buffer::scratch, "scratch"}}}};

/// Where a run of consecutive blocks begins.
struct Location {
  Buffer buffer = Buffer::input;
  int block = 0;
  friend auto operator<=>(const Location&, const Location&) = default;
};

[[nodiscard]] constexpr Location input(int block) { return {Buffer::input, block}; }
[[nodiscard]] constexpr Location output(int block) { return {Buffer::output, block}; }
[[nodiscard]] constexpr Location scratch(int slot) { return {Buffer::scratch, slot}; }

/// A run of blocks of a message. Where there is `more`, the message goes on with the next step of
/// its round: another run of the same buffer, with the same rank. Its two sides need not be cut
/// alike.
struct Send {
  Rank to{};
  Location from{};
  int count = 1;
  bool more = false;
  friend bool operator==(const Send&, const Send&) = default;
};
struct Recv {
  Rank source{};
  Location into{};
  int count = 1;
  bool more = false;
  friend bool operator==(const Recv&, const Recv&) = default;
};
using Comm = std::variant<Send, Recv>;

/// All runs of one message.
using Message = std::span<const Comm>;
[[nodiscard]] inline bool sends(Message message) {
  return std::holds_alternative<Send>(message.front());
}
[[nodiscard]] inline int blocks_in(Message message) {
  int blocks = 0;
  for (const Comm& comm : message) {
    blocks += std::visit([](const auto& run) { return run.count; }, comm);
  }
  return blocks;
}
/// Whether the message goes on.
[[nodiscard]] inline bool has_more(const Comm& comm) {
  return std::visit([](const auto& run) { return run.more; }, comm);
}
/// Calls `visit` with each message of a round in turn.
template <typename Visit>
void for_messages(Message comm, const Visit& visit) {
  while (!comm.empty()) {
    std::size_t runs = 1;
    while (runs < comm.size() && has_more(comm[runs - 1])) ++runs;
    visit(comm.first(runs));
    comm = comm.subspan(runs);
  }
}

/// Consecutive blocks.
struct BlockRange {
  int first = 0;
  int count = 0;
  friend bool operator==(const BlockRange&, const BlockRange&) = default;
};
/// Blocks in ascending order, neighbours together.
[[nodiscard]] std::vector<BlockRange> runs_of(std::vector<int> blocks);
/// Blocks in the order given, those together that follow each other.
[[nodiscard]] std::vector<BlockRange> runs_in_order(std::span<const int> blocks);

struct Copy {
  Location from{};
  Location into{};
  int count = 1;
  friend bool operator==(const Copy&, const Copy&) = default;
};
/// into[i] = a[i] op b[i], operands in this order; `into` may be `a` or `b`.
struct Reduce {
  Location a{};
  Location b{};
  Location into{};
  int count = 1;
  friend bool operator==(const Reduce&, const Reduce&) = default;
};
using Local = std::variant<Copy, Reduce>;

/// First all communication is posted at once and waited for, then the local steps run in order.
struct Round {
  std::vector<Comm> comm{};
  std::vector<Local> local{};

  /// Appends a message of these blocks of a buffer.
  void send(Rank to, Buffer from, std::span<const BlockRange> blocks);
  void recv(Rank source, Buffer into, std::span<const BlockRange> blocks);
  friend bool operator==(const Round&, const Round&) = default;
};

/// Consecutive scratch slots: slot i of the run is as large as block `first_block + i` of the
/// problem, or as the largest block when `first_block` is `kAnyBlock`.
///
/// Blocks of one schedule may differ in size (a vector that p does not divide), so a slot's size is
/// that of a certain block; only a slot that is never sent from may take any block.
struct ScratchRun {
  static constexpr int kAnyBlock = -1;
  int first_block = kAnyBlock;
  int count = 1;
};

/// The steps of one rank, round after round. A plain value: built without MPI, addresses or clock,
/// to be verified, executed, simulated, priced and printed.
struct Schedule {
  int blocks = 1;                     ///< the parts that the problem's vector is cut into
  std::vector<ScratchRun> scratch{};  ///< the scratch slots, in slot order
  std::vector<Round> rounds{};

  /// Appends a round of communication, then local steps.
  void round(std::initializer_list<Comm> comm, std::initializer_list<Local> local = {});
  /// Appends local steps to the last round, or starts one; empty copies are left out.
  void local(const Local& step);
};

/// "output 3", "output 3..5": `count` blocks from `at` on, for messages.
[[nodiscard]] std::string to_text(Location at, int count = 1);

/// The number of its messages, local steps and runs of scratch: its cost to build, bind and walk.
[[nodiscard]] std::size_t count_steps(const Schedule& schedule);

/// The scratch slots of a schedule in all.
[[nodiscard]] int scratch_slots(const Schedule& schedule);

}  // namespace breakeven::kernels
