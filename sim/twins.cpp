// SPDX-License-Identifier: BSD-3-Clause
#include "sim/twins.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "kernels/build.hpp"

namespace breakeven::sim {

namespace {

constexpr int kMostRanksRead = 16;
constexpr std::size_t kMostStepsRead = std::size_t{1} << 21U;  // of all ranks read
constexpr double kMostMessages = 1 << 17;                      // of a rank

using Place = std::pair<int, int>;  // of a message: its round, and which of the round's sends it is

/// A round as all ranks have it, if they are alike.
struct AlikeRound {
  std::vector<int> sent{};        // blocks of each send
  std::vector<int> partners{};    // to whom, by what lies between the ranks
  std::vector<Place> received{};  // where its receives are sent; they are taken as they come
  std::vector<int> reduced{};     // blocks of each reduction
  friend bool operator==(const AlikeRound&, const AlikeRound&) = default;
};

struct Alike {
  int blocks = 1;
  std::vector<AlikeRound> rounds{};
  friend bool operator==(const Alike&, const Alike&) = default;
};

/// How far ahead one rank is of the other, or in which bits they differ.
struct Relation {
  int procs = 1;
  bool bits = false;
  [[nodiscard]] int operator()(int from, int to) const {
    return bits ? from ^ to : (to - from + procs) % procs;
  }
};

AlikeRound without_receives(const kernels::Round& round) {
  AlikeRound read;
  for (const kernels::Comm& comm : round.comm) {
    if (const auto* send = std::get_if<kernels::Send>(&comm)) read.sent.push_back(send->count);
  }
  for (const kernels::Local& step : round.local) {
    if (const auto* reduce = std::get_if<kernels::Reduce>(&step))
      read.reduced.push_back(reduce->count);
  }
  return read;
}

template <typename Visit>
void for_sends(const kernels::Schedule& schedule, const Visit& visit) {
  for (std::size_t round = 0; round < schedule.rounds.size(); ++round) {
    int place = 0;
    for (const kernels::Comm& comm : schedule.rounds[round].comm) {
      const auto* send = std::get_if<kernels::Send>(&comm);
      if (send != nullptr) visit(*send, Place{static_cast<int>(round), place++});
    }
  }
}

/// As a rank has it whose partners do the same relative to themselves: what comes from behind was
/// sent ahead.
std::optional<Alike> read(const kernels::Schedule& schedule, int rank, const Relation& relation) {
  Alike alike{.blocks = schedule.blocks};
  std::map<int, std::deque<Place>> sent;
  for_sends(schedule, [&](const kernels::Send& send, Place place) {
    sent[relation(rank, send.to.value)].push_back(place);
  });
  for (const kernels::Round& round : schedule.rounds) {
    AlikeRound& read = alike.rounds.emplace_back(without_receives(round));
    for (const kernels::Comm& comm : round.comm) {
      if (const auto* send = std::get_if<kernels::Send>(&comm)) {
        read.partners.push_back(relation(rank, send->to.value));
        continue;
      }
      std::deque<Place>& from = sent[relation(std::get<kernels::Recv>(comm).source.value, rank)];
      if (from.empty()) return std::nullopt;
      read.received.push_back(from.front());
      from.pop_front();
    }
    std::ranges::sort(read.received);
  }
  return alike;
}

/// As a rank has it whose partners may be any: the schedules of those that it receives from tell
/// where each message is sent.
std::optional<Alike> read_with_sources(const kernels::Schedule& schedule,
                                       const kernels::Algorithm& algorithm,
                                       const kernels::Problem& problem) {
  Alike alike{.blocks = schedule.blocks};
  std::map<int, std::deque<Place>> sent;  // to this rank, by source
  for (const kernels::Round& round : schedule.rounds) {
    AlikeRound& read = alike.rounds.emplace_back(without_receives(round));
    for (const kernels::Comm& comm : round.comm) {
      const auto* recv = std::get_if<kernels::Recv>(&comm);
      if (recv == nullptr) continue;
      const auto [from, is_new] = sent.try_emplace(recv->source.value);
      if (is_new) {
        kernels::Problem at = problem;
        at.me = recv->source;
        for_sends(kernels::build_schedule(algorithm, at),
                  [&](const kernels::Send& send, Place place) {
                    if (send.to == problem.me) from->second.push_back(place);
                  });
      }
      if (from->second.empty()) return std::nullopt;
      read.received.push_back(from->second.front());
      from->second.pop_front();
    }
    std::ranges::sort(read.received);
  }
  return alike;
}

std::set<int> some_ranks(int procs, std::size_t steps) {
  const auto most = std::clamp(static_cast<int>(kMostStepsRead / std::max<std::size_t>(steps, 1)),
                               4, kMostRanksRead);
  std::set<int> ranks;
  for (int i = 0; i < most; ++i) {
    // Odd and even ones, from the first to the last.
    ranks.insert(static_cast<int>(std::int64_t{procs - 1} * i / (most - 1)));
    ranks.insert(i % procs);
  }
  return ranks;
}

/// What all ranks read have in common, if they have all.
template <typename Read>
std::optional<Alike> common(const std::set<int>& ranks, const Read& read) {
  std::optional<Alike> found;
  for (const int rank : ranks) {
    std::optional<Alike> alike = read(rank);
    if (!alike || (found && *found != *alike)) return std::nullopt;
    found = std::move(alike);
  }
  return found;
}

/// @return nothing where messages would be received in another order than they are sent
std::optional<kernels::Exchange> twins_of(const Alike& alike) {
  const kernels::Location anywhere = kernels::output(0);
  std::vector<kernels::Schedule> world;
  for (const Rank partner : {Rank{1}, Rank{0}}) {
    kernels::Schedule& schedule = world.emplace_back(kernels::Schedule{.blocks = alike.blocks});
    Place last{-1, 0};
    for (const AlikeRound& read : alike.rounds) {
      kernels::Round& round = schedule.rounds.emplace_back();
      for (const int count : read.sent) {
        round.comm.emplace_back(kernels::Send{partner, anywhere, count});
      }
      for (const Place& place : read.received) {
        if (place < last) return std::nullopt;
        last = place;
        const int count = alike.rounds[static_cast<std::size_t>(place.first)]
                              .sent[static_cast<std::size_t>(place.second)];
        round.comm.emplace_back(kernels::Recv{partner, anywhere, count});
      }
      for (const int count : read.reduced) {
        round.local.emplace_back(kernels::Reduce{anywhere, anywhere, anywhere, count});
      }
    }
  }
  return kernels::make_exchange({.collective = Collective::allreduce, .procs = 2}, world);
}

/// Whether schedules may be so long that even reading one takes its time.
bool too_long(const kernels::Algorithm& algorithm, const kernels::Problem& problem) {
  if (algorithm.formula == nullptr) return false;
  const int segments = problem.params.find_number(kernels::kSegments.key, 1).value_or(1);
  return algorithm.formula(problem).messages.value_or(0) * segments > kMostMessages;
}

}  // namespace

std::optional<kernels::Exchange> twins_of(const kernels::Algorithm& algorithm,
                                          const kernels::Problem& problem) {
  if (problem.procs < 2 || rooted(problem.collective) || too_long(algorithm, problem)) {
    return std::nullopt;
  }
  const auto schedule_of = [&](int rank) {
    kernels::Problem at = problem;
    at.me = {rank};
    return kernels::build_schedule(algorithm, at);
  };
  const kernels::Schedule first = schedule_of(0);
  const std::set<int> ranks = some_ranks(problem.procs, kernels::count_steps(first));
  std::optional<Alike> alike;
  for (const bool bits : {false, true}) {
    const Relation relation{.procs = problem.procs, .bits = bits};
    alike = common(ranks, [&](int rank) { return read(schedule_of(rank), rank, relation); });
    if (alike) return twins_of(*alike);
  }
  std::size_t sources = 0;
  for (const kernels::Round& round : first.rounds) sources += round.comm.size();
  if (sources * kernels::count_steps(first) * ranks.size() > kMostStepsRead) return std::nullopt;
  alike = common(ranks, [&](int rank) {
    kernels::Problem at = problem;
    at.me = {rank};
    return read_with_sources(schedule_of(rank), algorithm, at);
  });
  if (alike) return twins_of(*alike);
  return std::nullopt;
}

}  // namespace breakeven::sim
