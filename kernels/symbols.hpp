// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// What a block of data is made of, instead of its bytes: which ranks' parts of which block.
struct Symbol {
  int block = 0;
  std::vector<std::uint64_t> ranks;  ///< a bit for each rank whose contribution is in it
  bool in_rank_order = true;         ///< the contributions are first, first + 1, ..., last, reduced
  int first = 0;                     ///< in that order
  int last = 0;

  [[nodiscard]] bool holds(int rank) const;
  [[nodiscard]] int contributions() const;
};
/// Null before anything was written. Shared, because most of a schedule only moves data.
using SymbolPtr = std::shared_ptr<const Symbol>;

/// One rank's buffers, filled with symbols; every access is checked. Errors are sentences without
/// rank and round, which the caller knows.
class SymbolicMemory {
 public:
  /// The input holds the rank's own contributions, the rest is empty.
  SymbolicMemory(const Problem& problem, const Schedule& schedule);

  /// @throws VerificationError when a block lies outside its buffer or is still empty.
  [[nodiscard]] std::vector<SymbolPtr> read(Location from, int count) const;
  /// @throws VerificationError on a write to the input, outside a buffer, or of a block into a
  ///         place that is sized for another.
  void write(Location into, std::span<const SymbolPtr> symbols);
  /// @throws VerificationError as read and write; on operands that are different blocks, share a
  ///         contribution, or overlap the result in part.
  void apply(const Local& step);

  /// @throws VerificationError when the output is not what the collective asks for.
  /// @return whether everything in it was reduced in rank order
  [[nodiscard]] bool check_result() const;

 private:
  struct Slot {
    int block;  // the block whose size it has, or ScratchRun::kAnyBlock
    SymbolPtr symbol;
  };
  [[nodiscard]] const Slot& slot(Location at, int offset) const;
  void reduce(const Reduce& step);

  Problem problem_;
  int blocks_;
  std::array<std::vector<Slot>, 3> buffers_;
};

}  // namespace breakeven
