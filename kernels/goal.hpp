// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/call.hpp"
#include "kernels/exchange.hpp"

namespace breakeven::kernels {

/// A program as GOAL text, which LogGOPSim and its kin simulate: for each rank
/// `send 8b to 1 tag 0`, `recv 8b from 3 tag 0` and `calc 500` (nanoseconds) with the operations
/// that each requires: those of a round require all of the round before. The k-th message from one
/// rank to another has tag k, so that no simulator has to match them in order. Copies take no time.
/// @see [hoefler2010]; docs/files.md
class Goal {
 public:
  explicit Goal(int procs);
  /// The rank computes, after all before.
  void compute(int rank, Seconds time);
  /// The messages and reductions of a call.
  /// @param ranks      of the program, by rank of the call
  /// @param reduction  the time to reduce two operands of this many bytes
  void call(const Exchange& exchange, const CollectiveCall& call, std::span<const int> ranks,
            const std::function<Seconds(double bytes)>& reduction);
  [[nodiscard]] std::string text() const;

 private:
  /// One rank's operations, labelled l1, l2 ...
  struct RankText {
    void then(std::size_t operations_that_follow);
    void add(const std::string& operation);

    std::string text{};
    int last = 0;
    std::vector<int> before{};
    std::vector<int> current{};
  };
  [[nodiscard]] std::vector<int> tags_of(const Exchange& exchange, std::span<const int> ranks);

  std::vector<RankText> ranks_;
  std::map<std::pair<int, int>, int> next_tags_{};  ///< by source and destination
};

/// A single call.
[[nodiscard]] std::string to_goal(const Exchange& exchange, const CollectiveCall& call,
                                  const std::function<Seconds(double bytes)>& reduction);

}  // namespace breakeven::kernels
