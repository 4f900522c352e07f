// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "kernels/algorithm.hpp"
#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// The lanes of a problem, as rank `me` sees them: lane l has the ranks at place l of each node and
/// carries part l of the vector between nodes, so that several ranks of a node send what leaves it.
///
/// There are as many lanes as the smallest node has ranks, or the parameter `lanes` where that is
/// less; on larger nodes some ranks have none. The parameter that is named like the collective asks
/// for the algorithm on the lanes.
/// @see [traff2019]
class Lanes {
 public:
  static constexpr Param kCount{"lanes", "greatest number of lanes [ranks of the smallest node]"};

  /// @param otherwise  the algorithm on the lanes where none is asked for
  /// @throws UsageError when a parameter can't be understood.
  Lanes(const Problem& op, std::string_view otherwise);

  /// Whether the algorithm can run on the lanes.
  [[nodiscard]] bool can_run() const;
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] bool has_lane() const { return place_ < count_; }
  [[nodiscard]] bool on_roots_node() const { return lane_.me == lane_.root; }
  /// The rank on this node that has a lane.
  [[nodiscard]] Rank mate(int lane) const { return mates_(Rank{lane}); }
  [[nodiscard]] bool is_mine(int lane) const { return lane == place_; }

  /// The blocks of a part, and of the vector.
  [[nodiscard]] int part_blocks() const { return part_blocks_; }
  [[nodiscard]] int blocks() const { return count_ * part_blocks_; }
  /// Where a lane's part lies in a vector that begins there.
  [[nodiscard]] Location part(Location whole, int lane) const;
  [[nodiscard]] Location my_part(Location whole) const { return part(whole, place_); }
  /// New scratch for the own lane's part.
  [[nodiscard]] Location room(Schedule& schedule) const;

  /// Appends that the ranks of a node send each other their parts of the input and reduce those of
  /// their own lanes, in rank order. Returns where the result lies.
  [[nodiscard]] Location reduce_parts(Schedule& schedule) const;
  /// Appends the algorithm on the own lane, from a part to a part.
  void run(Schedule& schedule, Location from, Location into) const;
  /// Appends that the ranks of a node send each other their lanes' parts of the output, which lie
  /// there in `mine`; a root that has `all_at_root` receives none.
  void allgather_parts(Schedule& schedule, Location mine, bool all_at_root) const;

 private:
  const Problem& op_;
  RankGroup mates_;
  int place_;
  int count_ = 0;
  const Algorithm* algorithm_ = nullptr;
  Problem lane_{};  // in which a node's number is its rank
  int part_blocks_ = 0;
};

}  // namespace breakeven::kernels
