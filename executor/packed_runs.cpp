// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>
#include <utility>

#include "executor/bound_schedule.hpp"

namespace breakeven::executor {

namespace {

using kernels::Location;

int blocks_in(const BoundMessage& message) {
  return std::accumulate(message.runs.begin(), message.runs.end(), 0,
                         [](int sum, const kernels::BlockRange& run) { return sum + run.count; });
}

class Packer {
 public:
  Packer(BoundSchedule& schedule, int most) : schedule_{schedule}, most_{most} {}

  void pack() {
    std::vector<BoundRound> rounds;
    for (BoundRound& round : schedule_.rounds) {
      std::vector<kernels::Local> before;
      std::vector<kernels::Local> after;
      for (BoundMessage& send : round.sends) {
        move(send, [&](Location run, Location room, int count) {
          before.emplace_back(kernels::Copy{run, room, count});
        });
      }
      for (BoundMessage& recv : round.recvs) {
        move(recv, [&](Location run, Location room, int count) {
          after.emplace_back(kernels::Copy{room, run, count});
        });
      }
      if (!before.empty() && rounds.empty()) rounds.emplace_back();
      if (!before.empty()) {
        std::vector<kernels::Local>& local = rounds.back().local;
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
    const int blocks = blocks_in(message);
    if (message.runs.size() < 2 || blocks > most_) return;
    const auto begin = static_cast<int>(schedule_.slots.size());
    for (const auto& [first, count] : message.runs) {
      const Location run{message.buffer, first};
      copy(run, schedule_.add_slots(run, count), count);
    }
    message.buffer = kernels::Buffer::scratch;
    message.runs = {{begin, blocks}};
  }

  BoundSchedule& schedule_;
  int most_;
};

}  // namespace

BoundSchedule with_packed_runs(BoundSchedule schedule, int most) {
  Packer{schedule, most}.pack();
  return schedule;
}

}  // namespace breakeven::executor
