// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// All ranks of a problem at work: posts rounds, matches messages in order, runs local steps. A
/// message moves only once both sides have posted it. The data are those of `Memory`, a rank's
/// buffers, whose errors come without rank and round; it has
///
///     begin_round()            the rank posts its next round
///     read(place, count)       the data of a message at its sender
///     write(place, count, ..)  and at its receiver
///     hear(memory)             with every message, of its sender
///     apply(step)              a local step
template <typename Memory>
class World {
 public:
  World(std::span<const Schedule> schedules, std::vector<Memory> memories) : schedules_{schedules} {
    ranks_.reserve(memories.size());
    for (Memory& memory : memories) ranks_.push_back({.memory = std::move(memory)});
  }

  /// @throws VerificationError naming rank and round on: deadlock; a message without a receive or
  ///         of another length; messages of one round in each other's way; refusals of `Memory`.
  void run() {
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
  }

  /// Calls `look` with each rank's memory in turn; its errors are named as those of `run`.
  template <typename Look>
  void for_each_memory(const Look& look) {
    for (int rank = 0; rank < procs(); ++rank) {
      checked(rank, [&] { look(std::as_const(at(rank).memory)); });
    }
  }

 private:
  struct RankState {
    Memory memory;
    std::size_t round = 0;
    int in_flight = 0;  // messages of the round that are not matched yet
  };
  /// The blocks that a message reads or writes while it is under way, and with whom.
  struct Run {
    int peer;
    Location at;
    int count;
    bool written;
  };
  static Run run_of(const Comm& comm) {
    if (const auto* send = std::get_if<Send>(&comm)) {
      return {send->to.value, send->from, send->count, false};
    }
    const auto& recv = std::get<Recv>(comm);
    return {recv.source.value, recv.into, recv.count, true};
  }
  static bool overlap(const Run& x, const Run& y) {
    return x.at.buffer == y.at.buffer && x.at.block < y.at.block + y.count &&
           y.at.block < x.at.block + x.count;
  }
  static bool reaches_further(const Run& run, const Run* than) {
    return than == nullptr || run.at.buffer != than->at.buffer ||
           run.at.block + run.count > than->at.block + than->count;
  }

  [[nodiscard]] int procs() const { return static_cast<int>(schedules_.size()); }
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
    at(rank).memory.begin_round();
    if (round.comm.empty()) ready_.push_back(rank);
    for (const Comm& comm : round.comm) post(rank, comm);
  }

  /// Messages that are posted together may not depend on each other.
  void check_round(int rank, const Round& round) {
    runs_.clear();
    for (const Comm& comm : round.comm) {
      const Run run = run_of(comm);
      if (run.peer < 0 || run.peer >= procs() || run.peer == rank) {
        throw VerificationError(fmt::format("has a message with rank {}", run.peer));
      }
      if (!run.written) static_cast<void>(at(rank).memory.read(run.at, run.count));
      if (run.count > 0) runs_.push_back(run);
    }
    // Among runs in the order of their places, one that meets an earlier one meets that which
    // reaches furthest.
    std::ranges::sort(runs_, {}, &Run::at);
    const Run* furthest = nullptr;
    const Run* furthest_written = nullptr;
    for (const Run& run : runs_) {
      const Run* met = run.written ? furthest : furthest_written;
      if (met != nullptr && overlap(run, *met)) {
        const Run& written = run.written ? run : *met;
        throw VerificationError(fmt::format("receives into {}, which another message uses",
                                            to_text(written.at, written.count)));
      }
      if (reaches_further(run, furthest)) furthest = &run;
      if (run.written && reaches_further(run, furthest_written)) furthest_written = &run;
    }
  }

  /// Moves the message if its other side is posted already, or lets it wait for that.
  void post(int rank, const Comm& comm) {
    const bool sends = std::holds_alternative<Send>(comm);
    const int peer = run_of(comm).peer;
    const auto source = static_cast<std::uint64_t>(sends ? rank : peer);
    const auto to = static_cast<std::uint64_t>(sends ? peer : rank);
    const std::uint64_t channel = source << 32U | to;
    std::vector<Comm>& waiting = waiting_[channel];
    if (waiting.empty() || std::holds_alternative<Send>(waiting.front()) == sends) {
      waiting.push_back(comm);
      return;
    }
    const Comm other = waiting.front();
    waiting.erase(waiting.begin());
    if (waiting.empty()) waiting_.erase(channel);
    move(static_cast<int>(source), std::get<Send>(sends ? comm : other), static_cast<int>(to),
         std::get<Recv>(sends ? other : comm));
  }

  void move(int source, const Send& send, int to, const Recv& recv) {
    if (send.count != recv.count) {
      fail(to, fmt::format("expects {} blocks from rank {}, which sends {}", recv.count, source,
                           send.count));
    }
    const auto message = at(source).memory.read(send.from, send.count);
    checked(to, [&] { at(to).memory.write(recv.into, recv.count, message); });
    at(to).memory.hear(at(source).memory);
    for (const int rank : {source, to}) {
      if (--at(rank).in_flight == 0) ready_.push_back(rank);
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
  /// By source and destination: messages that only one of them has posted, in order.
  std::unordered_map<std::uint64_t, std::vector<Comm>> waiting_;
  std::deque<int> ready_;  // ranks whose messages have all moved
  std::vector<Run> runs_;  // of the round that is being checked
};

}  // namespace breakeven::kernels
