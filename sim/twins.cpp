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

using kernels::Schedule;
using Place = AlikeRound::Place;
using Places = std::map<int, std::deque<Place>>;

Schedule schedule_of(const kernels::Algorithm& algorithm, kernels::Problem problem, Rank me) {
  problem.me = me;
  return kernels::build_schedule(algorithm, problem);
}

/// How far ahead one rank is of the other, or in which bits they differ.
struct Relation {
  int procs = 1;
  bool bits = false;
  [[nodiscard]] int operator()(Rank from, Rank to) const {
    return bits ? from.value ^ to.value : (to.value - from.value + procs) % procs;
  }
};

template <typename Visit>
void for_sends(const Schedule& schedule, const Visit& visit) {
  for (std::size_t round = 0; round < schedule.rounds.size(); ++round) {
    int place = 0;
    kernels::for_messages(schedule.rounds[round].comm, [&](kernels::Message message) {
      if (!kernels::sends(message)) return;
      visit(std::get<kernels::Send>(message.front()), Place{static_cast<int>(round), place++});
    });
  }
}

/// The rounds of a rank, without partners.
/// @param sent_by  the messages of a source to the rank that it has not received yet
template <typename SentBy>
std::optional<Alike> read(const Schedule& schedule, const SentBy& sent_by) {
  Alike alike{.blocks = schedule.blocks};
  for (const kernels::Round& round : schedule.rounds) {
    AlikeRound& read = alike.rounds.emplace_back();
    bool known = true;
    kernels::for_messages(round.comm, [&](kernels::Message message) {
      if (kernels::sends(message)) {
        read.sent.push_back(kernels::blocks_in(message));
        return;
      }
      std::deque<Place>& from = sent_by(std::get<kernels::Recv>(message.front()).source);
      known = known && !from.empty();
      if (!known) return;
      read.received.push_back(from.front());
      from.pop_front();
    });
    if (!known) return std::nullopt;
    std::ranges::sort(read.received);
    for (const kernels::Local& step : round.local) {
      const auto* reduce = std::get_if<kernels::Reduce>(&step);
      if (reduce != nullptr) read.reduced.push_back(reduce->count);
    }
  }
  return alike;
}

/// Of a rank whose partners do the same relative to themselves: its messages from behind are as
/// those that it sends ahead.
std::optional<Alike> read_relative(const Schedule& schedule, Rank rank, const Relation& relation) {
  Places sent;
  for_sends(schedule, [&](const kernels::Send& send, Place place) {
    sent[relation(rank, send.to)].push_back(place);
  });
  std::optional<Alike> alike =
      read(schedule, [&](Rank source) -> auto& { return sent[relation(source, rank)]; });
  if (!alike) return std::nullopt;
  alike->bits = relation.bits;
  for_sends(schedule, [&](const kernels::Send& send, Place place) {
    alike->rounds[static_cast<std::size_t>(place.first)].partners.push_back(
        relation(rank, send.to));
  });
  return alike;
}

/// Of a rank with any partners: the schedules of its sources tell where each message is sent.
std::optional<Alike> read_with_sources(const kernels::Algorithm& algorithm,
                                       const kernels::Problem& problem, Rank rank) {
  Places sent;
  return read(schedule_of(algorithm, problem, rank), [&](Rank source) -> auto& {
    const auto [from, is_new] = sent.try_emplace(source.value);
    if (is_new) {
      for_sends(schedule_of(algorithm, problem, source),
                [&](const kernels::Send& send, Place place) {
                  if (send.to == rank) from->second.push_back(place);
                });
    }
    return from->second;
  });
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

/// The rounds that all these ranks have alike, if they do.
template <typename Read>
std::optional<Alike> common(const std::set<int>& ranks, const Read& read) {
  std::optional<Alike> found;
  for (const int rank : ranks) {
    std::optional<Alike> alike = read(Rank{rank});
    if (!alike || (found && *found != *alike)) return std::nullopt;
    found = std::move(alike);
  }
  return found;
}

/// @return nothing where messages would be received in another order than they are sent
std::optional<kernels::Exchange> twins_of(const Alike& alike) {
  const kernels::Location anywhere = kernels::output(0);
  std::vector<Schedule> world;
  for (const Rank partner : {Rank{1}, Rank{0}}) {
    Schedule& schedule = world.emplace_back(Schedule{.blocks = alike.blocks});
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

std::optional<Alike> alike_of(const kernels::Algorithm& algorithm,
                              const kernels::Problem& problem) {
  const std::size_t steps = kernels::count_steps(schedule_of(algorithm, problem, Rank{0}));
  const std::set<int> ranks = some_ranks(problem.procs, steps);
  for (const bool bits : {false, true}) {
    const Relation relation{.procs = problem.procs, .bits = bits};
    std::optional<Alike> alike = common(ranks, [&](Rank rank) {
      return read_relative(schedule_of(algorithm, problem, rank), rank, relation);
    });
    if (alike) return alike;
  }
  return std::nullopt;
}

std::optional<kernels::Exchange> twins_of(const kernels::Algorithm& algorithm,
                                          const kernels::Problem& problem) {
  if (problem.procs < 2 || rooted(problem.collective) || too_long(algorithm, problem)) {
    return std::nullopt;
  }
  if (const std::optional<Alike> alike = alike_of(algorithm, problem)) return twins_of(*alike);
  const Schedule first = schedule_of(algorithm, problem, Rank{0});
  const std::size_t steps = kernels::count_steps(first);
  const std::set<int> ranks = some_ranks(problem.procs, steps);
  std::size_t sources = 0;
  for (const kernels::Round& round : first.rounds) sources += round.comm.size();
  if (sources * steps * ranks.size() > kMostStepsRead) return std::nullopt;
  const std::optional<Alike> alike =
      common(ranks, [&](Rank rank) { return read_with_sources(algorithm, problem, rank); });
  return alike ? twins_of(*alike) : std::nullopt;
}

}  // namespace breakeven::sim
