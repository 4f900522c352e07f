// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/units.hpp"
#include "kernels/allreduce/stages.hpp"

namespace breakeven::kernels::allreduce {

/// The inner processes, which take part in the exchanges of recursive multiplying, and their
/// guests: ranks that collapse into another, or that remain and are merged.
///
///     c6m2,a2,a2,e6m2    rank  0 1  2 3  4 5  6      m1g2a3,n1g3a2    rank  0 1 2  3 4 5 6
///                        inner 0 .  1 .  2 .  3                       inner 0 1 2  3 4 5 .
///
/// The ranks concerned, the first T or all, are dealt out to groups as evenly as they go; the
/// first of each group are inner processes, the hosts, the others their guests. The ranks after
/// the groups are inner. Inner processes and guests are both numbered in rank order, so a group
/// that reduces its hosts' parts and then its guests' keeps rank order.
class Seats {
 public:
  explicit Seats(const Stages& stages);

  /// The number of an inner process, or of a guest.
  struct Seat {
    bool is_guest = false;
    int number = 0;
  };
  [[nodiscard]] Seat seat(Rank rank) const;

  /// The inner processes that exchange with inner process `number`: it as a mixed-radix number with
  /// any digit in the place of weight `distance`, which has `values` values.
  [[nodiscard]] std::vector<Rank> exchange_group(int number, int distance, int values) const;

  /// The guests whose parts an inner process gets before or in the first exchange, and those that
  /// it sends its own to in the last exchange or after.
  [[nodiscard]] std::vector<Rank> guests_received(int number) const;
  [[nodiscard]] std::vector<Rank> guests_served(int number) const;
  /// The reverse: the inner processes that a guest sends its part to, and has the result from.
  [[nodiscard]] std::vector<Rank> receivers_of(int guest) const;
  [[nodiscard]] std::vector<Rank> servers_of(int guest) const;

 private:
  [[nodiscard]] int guests_before(int group) const;
  [[nodiscard]] int group_of(int guest) const;

  int ranks_ = 0;        // in groups: the first ones
  int groups_ = 0;       // none where all are inner
  int hosts_ = 1;        // of each group
  int last_groups_ = 0;  // of the last exchange, where guests are merged into it
  int last_factor_ = 0;
};

}  // namespace breakeven::kernels::allreduce
