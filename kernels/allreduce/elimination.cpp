// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/elimination.hpp"

#include <algorithm>

namespace breakeven::kernels::allreduce {

namespace {

/// A rank at a level: its super-process, and its place among the 2^level ranks of it.
struct Place {
  int super = 0;
  int member = 0;
};

/// Whether super-process `super` of the next level is made of the last three of `supers`.
bool made_of_three(int supers, int super) { return supers % 2 == 1 && super == supers / 2 - 1; }

/// The rank at a place: the bits of `member` say which of two super-processes it came from.
Rank rank_at(int procs, int level, Place place) {
  while (level > 0) {
    --level;
    const bool from_upper = (place.member >> level & 1) != 0;
    const int upper = made_of_three(procs >> level, place.super) ? 2 : 1;
    place.super = 2 * place.super + (from_upper ? upper : 0);
  }
  return {place.super};
}

}  // namespace

std::vector<Meeting> meetings(int procs, Rank me) {
  std::vector<Meeting> meetings;
  Place place{me.value, 0};
  for (int level = 0; procs >> level > 1; ++level) {
    const int supers = procs >> level;
    const int last = supers / 2 - 1;  // of the next level
    const int next = std::min(place.super / 2, last);
    const bool three = made_of_three(supers, next);
    const auto rank_in = [&](int super) {
      return rank_at(procs, level, {super, place.member & ((1 << level) - 1)});
    };
    meetings.push_back({rank_in(2 * next), rank_in(2 * next + (three ? 2 : 1))});
    if (three) meetings.back().third = rank_in(2 * next + 1);
    if (meetings.back().third == me) break;
    if (meetings.back().upper == me) place.member += 1 << level;
    place.super = next;
  }
  return meetings;
}

Schedule build_with_elimination(const Problem& op, MeetThree meet_three) {
  Exchanges exchanges{op.me};
  std::optional<Rank> waits;  // for the result that this rank will have
  for (const auto& [lower, upper, third] : meetings(op.procs, op.me)) {
    if (!third) {
      exchanges.step({lower, upper}, {lower, upper});
      continue;
    }
    meet_three(exchanges, op.me, {lower, *third, upper});
    if (op.me == third) {
      exchanges.step({lower}, {});
      return std::move(exchanges).done();
    }
    if (op.me == lower) waits = third;
  }
  if (waits) exchanges.step({op.me}, {*waits});
  return std::move(exchanges).done();
}

}  // namespace breakeven::kernels::allreduce
