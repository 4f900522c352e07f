// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

#include "executor/effect.hpp"

namespace breakeven::executor {

namespace {

class Overlapper {
 public:
  Overlapper(BoundSchedule& schedule, int least) : schedule_{schedule}, least_{least} {}

  void overlap() {
    for (std::size_t round = 0; round < schedule_.rounds.size(); ++round) {
      BoundRound& now = schedule_.rounds[round];
      if (now.sends.empty() && now.recvs.empty()) continue;
      if (round > 0) {
        for (BoundMessage& send : now.sends) send_from_origin(send, round);
        delay(schedule_.rounds[round - 1].local, now);
      }
      advance(now);
    }
  }

 private:
  /// Sends what the copies before the round copied from where they took it, if all of it lies in
  /// one buffer there.
  void send_from_origin(BoundMessage& send, std::size_t round) const {
    BoundMessage moved = send;
    moved.runs.clear();
    for (const kernels::BlockRange& run : send.runs) {
      const std::optional<kernels::Location> origin = origin_of({send, run}, round);
      if (!origin || (!moved.runs.empty() && origin->buffer != moved.buffer)) return;
      moved.buffer = origin->buffer;
      moved.runs.push_back({origin->block, run.count});
    }
    send = std::move(moved);
  }

  /// Where a long copy at the end of the round before took a range from, unless that is changed
  /// until the messages have left.
  [[nodiscard]] std::optional<kernels::Location> origin_of(const Range& range,
                                                           std::size_t round) const {
    const std::vector<kernels::Local>& before = schedule_.rounds[round - 1].local;
    const auto writer = std::ranges::find_if(
        before | std::views::reverse,
        [&](const kernels::Local& step) { return effect_of(step).into.overlaps(range); });
    if (writer == before.rend()) return std::nullopt;
    const auto* const copy = std::get_if<kernels::Copy>(&*writer);
    const Range into = effect_of(*writer).into;
    if (copy == nullptr || !into.covers(range) || !is_long(*writer)) return std::nullopt;
    const kernels::Location from{copy->from.buffer, copy->from.block + range.begin - into.begin};
    const Range origin{from, range.end - range.begin};
    if (schedule_.takes_any(from, range.end - range.begin))
      return std::nullopt;  // its blocks lie elsewhere than their slots
    const bool overwritten = std::any_of(before.rbegin(), writer, [&](const kernels::Local& step) {
      return effect_of(step).into.overlaps(origin);
    });
    if (overwritten || meets(schedule_.rounds[round].recvs, origin)) return std::nullopt;
    return from;
  }

  /// Moves steps before a round's messages to the time in which they are under way, the last first.
  void delay(std::vector<kernels::Local>& before, BoundRound& round) const {
    std::vector<kernels::Local> stay;
    std::vector<kernels::Local> moved;
    for (kernels::Local& step : before | std::views::reverse) {
      const bool moves = may_overlap(step, round) && commutes(step, stay);
      (moves ? moved : stay).push_back(std::move(step));
    }
    before.assign(std::make_move_iterator(stay.rbegin()), std::make_move_iterator(stay.rend()));
    round.meanwhile.assign(std::make_move_iterator(moved.rbegin()),
                           std::make_move_iterator(moved.rend()));
  }

  /// The same for steps after its messages, the first first.
  void advance(BoundRound& round) const {
    std::vector<kernels::Local> stay;
    for (kernels::Local& step : round.local) {
      const bool moves = may_overlap(step, round) && commutes(step, stay);
      (moves ? round.meanwhile : stay).push_back(std::move(step));
    }
    round.local = std::move(stay);
  }

  [[nodiscard]] bool is_long(const kernels::Local& step) const {
    const Range into = effect_of(step).into;
    return into.end - into.begin >= least_;
  }
  [[nodiscard]] bool may_overlap(const kernels::Local& step, const BoundRound& round) const {
    const auto [a, b, into] = effect_of(step);
    return is_long(step) && !meets(round.sends, into) && !meets(round.recvs, into) &&
           !meets(round.recvs, a) && !meets(round.recvs, b);
  }
  /// Whether the step may change places with all of these.
  [[nodiscard]] bool commutes(const kernels::Local& step,
                              const std::vector<kernels::Local>& others) const {
    const Effect mine = effect_of(step);
    return std::ranges::none_of(others, [&](const kernels::Local& other) {
      const Effect theirs = effect_of(other);
      return theirs.touches(mine.into) || mine.reads(theirs.into);
    });
  }

  BoundSchedule& schedule_;
  int least_;
};

}  // namespace

BoundSchedule with_overlap(BoundSchedule schedule, int least) {
  Overlapper{schedule, least}.overlap();
  return schedule;
}

}  // namespace breakeven::executor
