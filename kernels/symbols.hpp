// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <vector>

#include "kernels/expression.hpp"
#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// A block of data as the verifier sees it: which block, and what was combined in it. An alltoall's
/// block belongs to two ranks: the block's number names its destination, the contribution in it
/// its source.
struct Symbol {
  int block = 0;
  const Expression* value = nullptr;  ///< null before anything was written
};

/// One rank's buffers, filled with symbols; every access is checked. Errors are sentences without
/// rank and round, which the caller knows.
class SymbolicMemory {
 public:
  using Content = std::vector<Symbol>;

  /// The input holds the rank's own contributions, the rest is empty.
  SymbolicMemory(const Problem& problem, const Schedule& schedule, Expressions& expressions);

  /// @throws VerificationError when a block lies outside its buffer or is still empty, or when a
  ///         run reaches into slots that take any block without beginning where they do.
  [[nodiscard]] Content read(Location from, int count) const;
  /// @throws VerificationError on a write to the input, outside a buffer, or of a block into a
  ///         place that is sized for another.
  void write(Location into, int count, std::span<const Symbol> symbols);
  static void append(Content& whole, int /*blocks*/, const Content& part) {
    whole.insert(whole.end(), part.begin(), part.end());
  }
  [[nodiscard]] static std::span<const Symbol> part(const Content& whole, int first, int count) {
    return std::span{whole}.subspan(static_cast<std::size_t>(first),
                                    static_cast<std::size_t>(count));
  }
  /// Of a barrier: a message names the ranks that its sender had heard of, directly or not, when it
  /// began the round.
  void begin_round() { telling_ = heard_; }
  void hear(const SymbolicMemory& sender);
  /// @throws VerificationError as read and write; on operands that are different blocks, share a
  ///         contribution, or overlap the result in part.
  void apply(const Local& step);

  /// @throws VerificationError when the output is not the collective's result, or, of one without
  ///         data, when a rank was not heard of.
  /// @return the output's symbols
  [[nodiscard]] std::vector<Symbol> checked_result() const;

 private:
  struct Slot {
    int block;  // the block whose size it has, or ScratchRun::kAnyBlock
    Symbol symbol;
    int run_end;      // of the slots that take any block together with it; unused in others
    bool begins_run;  // likewise
  };
  void require_run(Location at, int count) const;
  [[nodiscard]] const Slot& slot(Location at, int offset) const;
  void reduce(const Reduce& step);
  [[nodiscard]] int owner_of(int place, int block) const;
  [[nodiscard]] bool fits(const Symbol& symbol, Location into) const;
  void require_prefix(const Expression& value, int block) const;

  Problem problem_;
  int blocks_;
  Expressions* expressions_;
  std::array<std::vector<Slot>, 3> buffers_;
  std::vector<bool> heard_{};  // by rank; empty where there is data, which tells more
  std::vector<bool> telling_{};
};

}  // namespace breakeven::kernels
