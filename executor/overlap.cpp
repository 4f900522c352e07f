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
  Overlapper(BoundSchedule& schedule, const Memory& memory, Bytes least)
      : schedule_{schedule}, effects_{memory}, least_{least} {}

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
    moved.pieces.clear();
    for (const Piece& piece : send.pieces) {
      const std::optional<Place> origin = origin_of(effects_.range(send, piece), round);
      if (!origin || (!moved.pieces.empty() && origin->buffer != moved.buffer)) return;
      moved.buffer = origin->buffer;
      moved.pieces.push_back({origin->offset, piece.elements});
    }
    send = std::move(moved);
  }

  /// Where a long copy at the end of the round before took a range from, unless that is changed
  /// until the messages have left.
  [[nodiscard]] std::optional<Place> origin_of(const Range& range, std::size_t round) const {
    const std::vector<BoundLocal>& before = schedule_.rounds[round - 1].local;
    const auto writer = std::ranges::find_if(
        before | std::views::reverse,
        [&](const BoundLocal& step) { return effects_.of(step).into.overlaps(range); });
    if (writer == before.rend()) return std::nullopt;
    const auto* const copy = std::get_if<BoundCopy>(&*writer);
    const auto [from, same, into] = effects_.of(*writer);
    if (copy == nullptr || !into.covers(range) || !is_long(*writer)) return std::nullopt;
    const Range origin{from.buffer, from.begin + range.begin - into.begin,
                       from.begin + range.end - into.begin};
    const bool overwritten = std::any_of(before.rbegin(), writer, [&](const BoundLocal& step) {
      return effects_.of(step).into.overlaps(origin);
    });
    if (overwritten || effects_.meets(schedule_.rounds[round].recvs, origin)) return std::nullopt;
    return Place{origin.buffer, origin.begin};
  }

  /// Moves steps before a round's messages to the time in which they are under way, the last first.
  void delay(std::vector<BoundLocal>& before, BoundRound& round) const {
    std::vector<BoundLocal> stay;
    std::vector<BoundLocal> moved;
    for (BoundLocal& step : before | std::views::reverse) {
      const bool moves = may_overlap(step, round) && commutes(step, stay);
      (moves ? moved : stay).push_back(std::move(step));
    }
    before.assign(std::make_move_iterator(stay.rbegin()), std::make_move_iterator(stay.rend()));
    round.meanwhile.assign(std::make_move_iterator(moved.rbegin()),
                           std::make_move_iterator(moved.rend()));
  }

  /// The same for steps after its messages, the first first.
  void advance(BoundRound& round) const {
    std::vector<BoundLocal> stay;
    for (BoundLocal& step : round.local) {
      const bool moves = may_overlap(step, round) && commutes(step, stay);
      (moves ? round.meanwhile : stay).push_back(std::move(step));
    }
    round.local = std::move(stay);
  }

  [[nodiscard]] bool is_long(const BoundLocal& step) const {
    const Range into = effects_.of(step).into;
    return into.end - into.begin >= least_.value;
  }
  [[nodiscard]] bool may_overlap(const BoundLocal& step, const BoundRound& round) const {
    const auto [a, b, into] = effects_.of(step);
    return is_long(step) && !effects_.meets(round.sends, into) &&
           !effects_.meets(round.recvs, into) && !effects_.meets(round.recvs, a) &&
           !effects_.meets(round.recvs, b);
  }
  /// Whether the step may change places with all of these.
  [[nodiscard]] bool commutes(const BoundLocal& step, const std::vector<BoundLocal>& others) const {
    const Effect mine = effects_.of(step);
    return std::ranges::none_of(others, [&](const BoundLocal& other) {
      const Effect theirs = effects_.of(other);
      return theirs.touches(mine.into) || mine.reads(theirs.into);
    });
  }

  BoundSchedule& schedule_;
  Effects effects_;
  Bytes least_;
};

}  // namespace

BoundSchedule with_overlap(BoundSchedule schedule, const Memory& memory, Bytes least) {
  if (memory.contiguous()) Overlapper{schedule, memory, least}.overlap();
  return schedule;
}

}  // namespace breakeven::executor
