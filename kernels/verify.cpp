// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/verify.hpp"

#include <fmt/format.h>

#include <deque>
#include <memory>
#include <unordered_map>
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

/// The ranks that one knows to have begun, directly or from others: what a barrier is about.
class Heard {
 public:
  Heard(int procs, int me) : from_(static_cast<std::size_t>(procs)) {
    from_[static_cast<std::size_t>(me)] = true;
  }
  void hear(const Heard& other) {
    for (std::size_t rank = 0; rank < from_.size(); ++rank) {
      if (other.from_[rank]) from_[rank] = true;
    }
  }
  void require_all() const {
    for (std::size_t rank = 0; rank < from_.size(); ++rank) {
      if (from_[rank]) continue;
      throw VerificationError(fmt::format("ends before it has heard that rank {} began", rank));
    }
  }

 private:
  std::vector<bool> from_;
};

/// All ranks at work: posts rounds, matches messages in order, runs local steps.
class World {
 public:
  World(const Problem& problem, std::span<const Schedule> schedules)
      : problem_{problem}, schedules_{schedules}, expressions_{static_cast<int>(schedules.size())} {
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
      Problem own = problem;
      own.me = {static_cast<int>(rank)};
      ranks_.push_back({.memory = {own, schedules[rank], expressions_}});
      if (silent()) ranks_.back().heard = std::make_shared<Heard>(procs(), own.me.value);
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
    return verdict();
  }

 private:
  struct RankState {
    SymbolicMemory memory;
    std::size_t round = 0;
    int in_flight = 0;                       // messages of the round that are not matched yet
    std::shared_ptr<Heard> heard{};          // in a collective without data
    std::shared_ptr<const Heard> telling{};  // what it had heard when it posted the round
  };

  [[nodiscard]] int procs() const { return static_cast<int>(schedules_.size()); }
  [[nodiscard]] bool silent() const { return !moves_data(problem_.collective); }
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
    if (silent()) at(rank).telling = std::make_shared<const Heard>(*at(rank).heard);
    if (round.comm.empty()) ready_.push_back(rank);
    for (const Comm& comm : round.comm) post(rank, comm);
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
    checked(to, [&] { at(to).memory.write(recv.into, message); });
    if (silent()) at(to).heard->hear(*at(source).telling);
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

  Verdict verdict() {
    Verdict verdict;
    std::unordered_map<int, int> shapes;  // of each block, as the first rank that has it reduced it
    for (int rank = 0; rank < procs(); ++rank) {
      checked(rank, [&] {
        if (silent()) at(rank).heard->require_all();
        for (const auto& [block, value] : at(rank).memory.checked_result()) {
          verdict.in_rank_order = verdict.in_rank_order && value->in_rank_order;
          const int first = shapes.try_emplace(block, value->shape).first->second;
          verdict.identical = verdict.identical && value->shape == first;
        }
      });
    }
    return verdict;
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

  Problem problem_;
  std::span<const Schedule> schedules_;
  Expressions expressions_;
  std::vector<RankState> ranks_;
  /// By source and destination: messages that only one of them has posted, in order.
  std::unordered_map<std::uint64_t, std::vector<Comm>> waiting_;
  std::deque<int> ready_;  // ranks whose messages have all moved
};

}  // namespace

Verdict verify(const Problem& problem, std::span<const Schedule> world) {
  return World{problem, world}.run();
}

}  // namespace breakeven
