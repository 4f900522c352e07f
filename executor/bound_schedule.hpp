// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "kernels/schedule.hpp"

namespace breakeven::executor {

/// A byte of a buffer. Counts of elements below are of the call's elements.
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

/// What is sent, or what there is room for: a message may be shorter than its receive.
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
  std::vector<BoundLocal> local{};  ///< none without elements
};

/// A schedule whose blocks have become bytes of buffers: the same for any buffers of such a call.
struct BoundSchedule {
  std::int64_t scratch_elements = 0;
  std::vector<BoundRound> rounds{};
};

}  // namespace breakeven::executor
