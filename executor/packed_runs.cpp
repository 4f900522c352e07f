// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>
#include <utility>

#include "executor/bound_schedule.hpp"

namespace breakeven::executor {

namespace {

std::int64_t elements_in(const BoundMessage& message) {
  return std::accumulate(message.pieces.begin(), message.pieces.end(), std::int64_t{0},
                         [](std::int64_t sum, const Piece& piece) { return sum + piece.elements; });
}

class Packer {
 public:
  Packer(BoundSchedule& schedule, const Memory& memory, Bytes most)
      : schedule_{schedule}, memory_{memory}, most_{most} {}

  void pack() {
    std::vector<BoundRound> rounds;
    for (BoundRound& round : schedule_.rounds) {
      std::vector<BoundLocal> before;
      std::vector<BoundLocal> after;
      for (BoundMessage& send : round.sends) {
        move(send, [&](Place run, Place room, std::int64_t elements) {
          before.emplace_back(BoundCopy{run, room, elements});
        });
      }
      for (BoundMessage& recv : round.recvs) {
        move(recv, [&](Place run, Place room, std::int64_t elements) {
          after.emplace_back(BoundCopy{room, run, elements});
        });
      }
      if (!before.empty() && rounds.empty()) rounds.emplace_back();
      if (!before.empty()) {
        std::vector<BoundLocal>& local = rounds.back().local;
        local.insert(local.end(), before.begin(), before.end());
      }
      round.local.insert(round.local.begin(), after.begin(), after.end());
      rounds.push_back(std::move(round));
    }
    schedule_.rounds = std::move(rounds);
  }

 private:
  /// Puts a message's runs into scratch of its own, one after the other.
  template <typename Copy>
  void move(BoundMessage& message, const Copy& copy) {
    const std::int64_t elements = elements_in(message);
    if (message.pieces.size() < 2 || elements * memory_.element_size > most_.value) return;
    const std::int64_t begin = room(schedule_.scratch_elements);
    for (const Piece& piece : message.pieces) {
      copy(Place{message.buffer, piece.offset},
           Place{kernels::Buffer::scratch, room(schedule_.scratch_elements)}, piece.elements);
      schedule_.scratch_elements += piece.elements;
    }
    message.buffer = kernels::Buffer::scratch;
    message.pieces = {{begin, elements}};
  }
  [[nodiscard]] std::int64_t room(std::int64_t elements) const {
    return memory_.scratch.layout.origin() + memory_.distance(kernels::Buffer::scratch, elements);
  }

  BoundSchedule& schedule_;
  const Memory& memory_;
  Bytes most_;
};

}  // namespace

BoundSchedule with_packed_runs(BoundSchedule schedule, const Memory& memory, Bytes most) {
  if (memory.contiguous()) Packer{schedule, memory, most}.pack();
  return schedule;
}

}  // namespace breakeven::executor
