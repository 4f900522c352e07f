// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/seats.hpp"

#include <algorithm>
#include <cstdint>

namespace breakeven::kernels::allreduce {

Seats::Seats(const Stages& stages) {
  if (stages.collapsing > 0) {
    ranks_ = stages.collapsing;
    groups_ = stages.collapsing / stages.collapse_base;
  } else if (stages.remaining > 0) {
    ranks_ = stages.procs();
    hosts_ = stages.factors.front();
    groups_ = stages.inner() / hosts_;
    last_factor_ = stages.factors.back();
    last_groups_ = stages.inner() / last_factor_;
  }
}

/// Group g begins at rank g * ranks / groups, rounded down; this many ranks before are no hosts.
int Seats::guests_before(int group) const {
  if (groups_ == 0) return 0;
  return static_cast<int>(static_cast<std::int64_t>(group) * ranks_ / groups_) - group * hosts_;
}

int Seats::group_of(int guest) const {
  const int guests = guests_before(groups_);
  if (guests == 0) return 0;
  return static_cast<int>(((guest + 1) * static_cast<std::int64_t>(groups_) - 1) / guests);
}

Seats::Seat Seats::seat(Rank rank) const {
  if (rank.value >= ranks_) return {false, rank.value - guests_before(groups_)};
  const auto group =
      static_cast<int>(((rank.value + 1) * static_cast<std::int64_t>(groups_) - 1) / ranks_);
  const int number = rank.value - guests_before(group);
  if (number < (group + 1) * hosts_) return {false, number};
  return {true, rank.value - (group + 1) * hosts_};
}

std::vector<Rank> Seats::exchange_group(int number, int distance, int values) const {
  std::vector<Rank> group;
  const int first = number - number / distance % values * distance;
  for (int member = first; member < first + values * distance; member += distance) {
    group.push_back({member + guests_before(std::min(member / hosts_, groups_))});
  }
  return group;
}

std::vector<Rank> Seats::guests_received(int number) const {
  const int group = number / hosts_;
  std::vector<Rank> guests;
  if (group >= groups_) return guests;
  for (int guest = guests_before(group); guest < guests_before(group + 1); ++guest) {
    guests.push_back({guest + (group + 1) * hosts_});
  }
  return guests;
}

std::vector<Rank> Seats::guests_served(int number) const {
  if (last_groups_ == 0) return guests_received(number);
  std::vector<Rank> guests;
  for (int guest = number % last_groups_; guest < guests_before(groups_); guest += last_groups_) {
    guests.push_back({guest + (group_of(guest) + 1) * hosts_});
  }
  return guests;
}

std::vector<Rank> Seats::receivers_of(int guest) const {
  return exchange_group(group_of(guest) * hosts_, 1, hosts_);
}

std::vector<Rank> Seats::servers_of(int guest) const {
  if (last_groups_ == 0) return receivers_of(guest);
  return exchange_group(guest % last_groups_, last_groups_, last_factor_);
}

}  // namespace breakeven::kernels::allreduce
