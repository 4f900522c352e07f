// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace breakeven::kernels {

/// A set of the ranks 0 .. p-1. Partial results mostly hold ranks that are neighbours around the
/// circle, so a set is an interval of it for as long as it can be, and bits after that.
class RankSet {
 public:
  RankSet() = default;
  RankSet(int procs, int rank) : procs_{procs}, first_{rank}, count_{1} {}

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] bool holds(int rank) const;
  /// The first and last rank, when the set is an interval that does not pass from p-1 to 0.
  struct Interval {
    int first;
    int last;
  };
  [[nodiscard]] std::optional<Interval> interval() const;

  /// A rank that is in both, if there is one.
  [[nodiscard]] std::optional<int> common(const RankSet& other) const;
  /// The ranks of both. @pre the sets have none in common
  [[nodiscard]] RankSet joined(const RankSet& other) const;

 private:
  [[nodiscard]] bool contiguous() const { return bits_.empty(); }
  [[nodiscard]] int place(int rank) const { return (rank - first_ + procs_) % procs_; }
  [[nodiscard]] std::vector<std::uint64_t> as_bits() const;

  int procs_ = 0;
  int first_ = 0;
  int count_ = 0;
  std::vector<std::uint64_t> bits_;  // empty while the ranks are first_, first_ + 1, ... (mod p)
};

}  // namespace breakeven::kernels
