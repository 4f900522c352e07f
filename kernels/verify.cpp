// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/verify.hpp"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "kernels/symbols.hpp"

namespace breakeven {

namespace {

/// The blocks that a message reads or writes while it is under way, and with whom it is exchanged.
struct Run {
  int peer;
  Location at;
  int count;
  bool written;
};

Run run_of(const Comm& comm) {
  if (const auto* send = std::get_if<Send>(&comm)) {
    return {send->to.value, send->from, send->count, false};
  }
  const auto& recv = std::get<Recv>(comm);
  return {recv.source.value, recv.into, recv.count, true};
}

bool overlap(const Run& x, const Run& y) {
  return x.at.buffer == y.at.buffer && x.at.block < y.at.block + y.count &&
         y.at.block < x.at.block + x.count;
}

/// All ranks at work: posts rounds, matches messages in order, runs local steps.
class World {
 public:
  World(const Problem& problem, std::span<const Schedule> schedules) : schedules_{schedules} {
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
      Problem own = problem;
      own.me = {static_cast<int>(rank)};
      ranks_.push_back({.memory = SymbolicMemory{own, schedules[rank]}});
    }
  }

  Verdict run() {
    for (int rank = 0; rank < procs(); ++rank) advance(rank);
    while (!ready_.empty()) {
      const int rank = ready_.front();
      ready_.pop_front();
      finish_round(rank);
      advance(rank);
    }
    for (int rank = 0; rank < procs(); ++rank) {
      if (!finished(rank)) fail(rank, "waits for ever: deadlock, or a message that nobody matches");
    }
    Verdict verdict;
    for (int rank = 0; rank < procs(); ++rank) {
      checked(rank, [&] {
        if (!at(rank).memory.check_result()) verdict.in_rank_order = false;
      });
    }
    return verdict;
  }

 private:
  struct RankState {
    SymbolicMemory memory;
    std::size_t round = 0;
    int in_flight = 0;  // messages of the round that are not matched yet
  };
  /// What two ranks have posted for each other in one direction, in order.
  struct Channel {
    std::deque<Send> sends;
    std::deque<Recv> recvs;
  };

  [[nodiscard]] int procs() const { return static_cast<int>(ranks_.size()); }
  RankState& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const std::vector<Round>& rounds(int rank) const {
    return schedules_[static_cast<std::size_t>(rank)].rounds;
  }
  [[nodiscard]] bool finished(int rank) { return at(rank).round == rounds(rank).size(); }

  /// Posts the rank's next round, if there is one.
  void advance(int rank) {
    if (finished(rank)) return;
    const Round& round = rounds(rank)[at(rank).round];
    checked(rank, [&] { check_round(rank, round); });
    at(rank).in_flight = static_cast<int>(round.comm.size());
    if (round.comm.empty()) ready_.push_back(rank);
    for (const Comm& comm : round.comm) {
      if (const auto* send = std::get_if<Send>(&comm)) {
        channels_[{rank, send->to.value}].sends.push_back(*send);
        match(rank, send->to.value);
      } else {
        const auto& recv = std::get<Recv>(comm);
        channels_[{recv.source.value, rank}].recvs.push_back(recv);
        match(recv.source.value, rank);
      }
    }
  }

  /// What is posted together may not depend on each other.
  void check_round(int rank, const Round& round) {
    std::vector<Run> runs;
    for (const Comm& comm : round.comm) {
      const Run run = run_of(comm);
      if (run.peer < 0 || run.peer >= procs() || run.peer == rank) {
        throw VerificationError(fmt::format("has a message with rank {}", run.peer));
      }
      for (const Run& other : runs) {
        if ((run.written || other.written) && overlap(run, other)) {
          throw VerificationError(fmt::format("receives into {}, which another message uses",
                                              to_text(run.at, run.count)));
        }
      }
      runs.push_back(run);
      if (!run.written) static_cast<void>(at(rank).memory.read(run.at, run.count));
    }
  }

  /// Moves the messages of which both sides are posted.
  void match(int source, int to) {
    Channel& channel = channels_[{source, to}];
    while (!channel.sends.empty() && !channel.recvs.empty()) {
      const Send send = channel.sends.front();
      const Recv recv = channel.recvs.front();
      channel.sends.pop_front();
      channel.recvs.pop_front();
      if (send.count != recv.count) {
        fail(to, fmt::format("expects {} blocks from rank {}, which sends {}", recv.count, source,
                             send.count));
      }
      const auto message = at(source).memory.read(send.from, send.count);
      checked(to, [&] { at(to).memory.write(recv.into, message); });
      for (const int rank : {source, to}) {
        if (--at(rank).in_flight == 0) ready_.push_back(rank);
      }
    }
  }

  void finish_round(int rank) {
    for (const Local& step : rounds(rank)[at(rank).round].local) {
      checked(rank, [&] { at(rank).memory.apply(step); });
    }
    ++at(rank).round;
  }

  template <typename Action>
  void checked(int rank, const Action& action) {
    try {
      action();
    } catch (const VerificationError& error) {
      fail(rank, error.what());
    }
  }

  [[noreturn]] void fail(int rank, const std::string& what) {
    throw VerificationError(
        fmt::format("p = {}, rank {}, round {}: {}", procs(), rank, at(rank).round, what));
  }

  std::span<const Schedule> schedules_;
  std::vector<RankState> ranks_;
  std::map<std::pair<int, int>, Channel> channels_;  // by (source, destination)
  std::deque<int> ready_;                            // ranks whose messages have all moved
};

}  // namespace

Verdict verify(const Problem& problem, std::span<const Schedule> world) {
  return World{problem, world}.run();
}

}  // namespace breakeven
