// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/pattern.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "kernels/catalogue.hpp"

namespace breakeven::kernels {

namespace {

constexpr Param kPeers{"peers", "the others in a group [1]"};
constexpr Param kDistance{"distance", "from a rank to the next one of its group [1]"};
constexpr Param kTimes{"times", "how often all is done [1]"};
constexpr std::array kAll{kPeers, kDistance, kTimes};

int number(const Problem& problem, const Param& param) {
  return problem.params.find_number(param.key, 1).value_or(1);
}

/// The ranks that take part in a pattern together, as one of them sees them.
class Group {
 public:
  explicit Group(const Problem& problem)
      : peers_{number(problem, kPeers)}, distance_{number(problem, kDistance)} {
    const int size = (peers_ + 1) * distance_;
    const int begin = problem.me.value / size * size;
    place_ = (problem.me.value - begin) / distance_;
    first_ = begin + problem.me.value % distance_;
    whole_ = begin + size <= problem.procs;
  }

  [[nodiscard]] bool is_whole() const { return whole_; }
  [[nodiscard]] int peers() const { return peers_; }
  [[nodiscard]] int place() const { return place_; }
  [[nodiscard]] Rank rank(int place) const { return {first_ + place * distance_}; }

 private:
  int peers_;
  int distance_;
  int place_ = 0;
  int first_ = 0;
  bool whole_ = true;
};

const Reduce kReduce{.a = input(0), .b = output(0), .into = output(0)};

/// A round in which this rank takes part.
void add(Schedule& schedule, std::vector<Comm> comm) {
  if (!comm.empty()) schedule.rounds.push_back({.comm = std::move(comm), .local = {}});
}

/// A message from one place of the group to another one.
void add_message(Schedule& schedule, const Group& group, int from, int to) {
  if (group.place() == from) add(schedule, {Send{.to = group.rank(to), .from = input(0)}});
  if (group.place() == to) add(schedule, {Recv{.source = group.rank(from), .into = output(0)}});
}

template <typename Do>
Schedule repeated(const Problem& problem, const Do& once) {
  Schedule schedule;
  const Group group{problem};
  schedule.scratch = {{.first_block = ScratchRun::kAnyBlock, .count = group.peers()}};
  if (!group.is_whole()) return schedule;
  for (int time = 0; time < number(problem, kTimes); ++time) once(schedule, group);
  return schedule;
}

/// There and back.
Schedule ping_pong(const Problem& problem) {
  return repeated(problem, [](Schedule& schedule, const Group& group) {
    add_message(schedule, group, 0, 1);
    add_message(schedule, group, 1, 0);
  });
}

/// Each sends to all others of its group and receives from them, in one round: a stage of recursive
/// multiplying; with one peer both directions at once.
Schedule exchange(const Problem& problem) {
  return repeated(problem, [](Schedule& schedule, const Group& group) {
    std::vector<Comm> sends;
    std::vector<Comm> recvs;
    for (int place = 0; place <= group.peers(); ++place) {
      if (place == group.place()) continue;
      sends.push_back(Send{.to = group.rank(place), .from = input(0)});
      recvs.push_back(Recv{.source = group.rank(place),
                           .into = scratch(place < group.place() ? place : place - 1)});
    }
    sends.insert(sends.end(), recvs.begin(), recvs.end());
    add(schedule, std::move(sends));
  });
}

/// The first sends to all others, the last of whom answers.
/// @param at_once  in one round, by nonblocking sends; else one after the other
Schedule multicast(const Problem& problem, bool at_once) {
  return repeated(problem, [at_once](Schedule& schedule, const Group& group) {
    std::vector<Comm> sends;
    for (int place = 1; place <= group.peers(); ++place) {
      if (group.place() == 0 && at_once) {
        sends.push_back(Send{.to = group.rank(place), .from = input(0)});
      } else {
        add_message(schedule, group, 0, place);
      }
    }
    add(schedule, std::move(sends));
    add_message(schedule, group, group.peers(), 0);
  });
}
Schedule multicast_non_blocking(const Problem& problem) { return multicast(problem, true); }
Schedule multicast_blocking(const Problem& problem) { return multicast(problem, false); }

/// A train of messages one way, and an answer to the last.
/// @param delay  reductions by either rank after each message
Schedule stream(const Problem& problem, int delay) {
  Schedule schedule = repeated(problem, [delay](Schedule& train, const Group& group) {
    add_message(train, group, 0, 1);
    for (int i = 0; i < delay && group.place() <= 1; ++i) {
      train.rounds.push_back({.comm = {}, .local = {kReduce}});
    }
  });
  const Group group{problem};
  if (group.is_whole()) add_message(schedule, group, 1, 0);
  return schedule;
}
Schedule stream_at_once(const Problem& problem) { return stream(problem, 0); }
Schedule stream_delayed(const Problem& problem) {
  constexpr int kDelay = 4;
  return stream(problem, kDelay);
}

/// No message: each reduces two operands.
Schedule reduction(const Problem& problem) {
  Schedule schedule;
  for (int time = 0; time < number(problem, kTimes); ++time) {
    schedule.rounds.push_back({.comm = {}, .local = {kReduce}});
  }
  return schedule;
}

constexpr ProcsRequirement kTwo{"p >= 2", [](int procs) { return procs >= 2; }};

constexpr std::array kPatterns{
    Algorithm{
        .name = "ping_pong", .requirement = kTwo, .params = kAll, .build = ping_pong, .source = {}},
    Algorithm{
        .name = "exchange", .requirement = kTwo, .params = kAll, .build = exchange, .source = {}},
    Algorithm{.name = "multicast",
              .requirement = kTwo,
              .params = kAll,
              .build = multicast_non_blocking,
              .source = "[ruefenacht2017] 5.1"},
    Algorithm{.name = "multicast_blocking",
              .requirement = kTwo,
              .params = kAll,
              .build = multicast_blocking,
              .source = "[ruefenacht2017] 5.1"},
    Algorithm{.name = "stream",
              .requirement = kTwo,
              .params = kAll,
              .build = stream_at_once,
              .source = {}},
    Algorithm{.name = "stream_delayed",
              .requirement = kTwo,
              .params = kAll,
              .build = stream_delayed,
              .source = "[culler1996]"},
    Algorithm{.name = "reduction",
              .requirement = kAnyProcs,
              .params = kAll,
              .build = reduction,
              .source = {}}};

}  // namespace

bool is_pattern(const Variant& variant) {
  const Ours* const ours = variant.ours();
  return ours != nullptr &&
         std::ranges::find(kPatterns, ours->name, &Algorithm::name) != kPatterns.end();
}

const Algorithm& algorithm_of(const Case& what) {
  const std::string name = what.variant.algorithm();
  const auto found = std::ranges::find(kPatterns, name, &Algorithm::name);
  return found != kPatterns.end() ? *found : find_algorithm(what.collective, name);
}

}  // namespace breakeven::kernels
