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
///     read(place, count)       the data of a run of blocks, a Content
///     write(place, count, ..)  and at its receiver
///     append(whole, n, ..)     puts data behind the first n blocks of a message
///     part(whole, first, n)    the data of a run in a message
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
  /// Blocks that a message reads or writes while it is under way, and with whom.
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
    for_messages(round.comm, [&](Message) { ++at(rank).in_flight; });
    at(rank).memory.begin_round();
    if (round.comm.empty()) ready_.push_back(rank);
    for_messages(round.comm, [&](Message message) { post(rank, message); });
  }

  /// Messages that are posted together may not depend on each other.
  void check_round(int rank, const Round& round) {
    runs_.clear();
    for_messages(round.comm, [&](Message message) { check_message(rank, message); });
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

  /// The runs of a message are in one buffer, and their sizes are known.
  void check_message(int rank, Message message) {
    const Run first = run_of(message.front());
    if (has_more(message.back()))
      throw VerificationError("has a message that goes on with nothing");
    for (const Comm& comm : message.subspan(1)) {
      const Run run = run_of(comm);
      if (run.peer != first.peer || run.written != first.written ||
          run.at.buffer != first.at.buffer) {
        throw VerificationError("has a message of several ranks, directions or buffers");
      }
    }
    if (message.size() == 1 || first.at.buffer != Buffer::scratch) return;
    for (const Comm& comm : message) {
      if (takes_any(rank, run_of(comm).at.block)) {
        throw VerificationError("has a message of several runs in slots that take any block");
      }
    }
  }

  [[nodiscard]] bool takes_any(int rank, int slot) const {
    for (const ScratchRun& run : schedules_[static_cast<std::size_t>(rank)].scratch) {
      if (slot < run.count) return run.first_block == ScratchRun::kAnyBlock;
      slot -= run.count;
    }
    return false;
  }

  /// Moves the message if its other side is posted already, or lets it wait for that.
  void post(int rank, Message message) {
    const bool sent = sends(message);
    const int peer = run_of(message.front()).peer;
    const auto source = static_cast<std::uint64_t>(sent ? rank : peer);
    const auto to = static_cast<std::uint64_t>(sent ? peer : rank);
    const std::uint64_t channel = source << 32U | to;
    std::vector<Message>& waiting = waiting_[channel];
    if (waiting.empty() || sends(waiting.front()) == sent) {
      waiting.push_back(message);
      return;
    }
    const Message other = waiting.front();
    waiting.erase(waiting.begin());
    if (waiting.empty()) waiting_.erase(channel);
    move(static_cast<int>(source), sent ? message : other, static_cast<int>(to),
         sent ? other : message);
  }

  void move(int source, Message sent, int to, Message received) {
    if (blocks_in(sent) != blocks_in(received)) {
      fail(to, fmt::format("expects {} blocks from rank {}, which sends {}", blocks_in(received),
                           source, blocks_in(sent)));
    }
    const auto content = read(source, sent);
    checked(to, [&] { write(to, received, content); });
    at(to).memory.hear(at(source).memory);
    for (const int rank : {source, to}) {
      if (--at(rank).in_flight == 0) ready_.push_back(rank);
    }
  }

  [[nodiscard]] Memory::Content read(int rank, Message message) {
    const Run first = run_of(message.front());
    auto content = at(rank).memory.read(first.at, first.count);
    int blocks = first.count;
    for (const Comm& comm : message.subspan(1)) {
      const Run run = run_of(comm);
      Memory::append(content, blocks, at(rank).memory.read(run.at, run.count));
      blocks += run.count;
    }
    return content;
  }

  void write(int rank, Message message, const Memory::Content& content) {
    int blocks = 0;
    for (const Comm& comm : message) {
      const Run run = run_of(comm);
      at(rank).memory.write(run.at, run.count, Memory::part(content, blocks, run.count));
      blocks += run.count;
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
  std::unordered_map<std::uint64_t, std::vector<Message>> waiting_;
  std::deque<int> ready_;  // ranks whose messages have all moved
  std::vector<Run> runs_;  // of the round that is being checked
};

}  // namespace breakeven::kernels
