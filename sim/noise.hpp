// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/ticks.hpp"

namespace breakeven::sim {

/// A stretch of time, from the common start.
struct Span {
  Ticks begin = 0;
  Ticks end = 0;
};

/// Detours: times in which a program's processor does other work. Ranks are disturbed independently
/// of each other.
/// @see [hoefler2010], 3.2; [beckman2006]
struct Noise {
  double rate_per_s = 0;  ///< detours in a second that has none yet; between them exponential gaps
  Seconds mean{};         ///< of a detour, whose length is exponential too
  /// Instead of these: detours in order, which follow each other again and again. Each rank begins
  /// somewhere among them.
  std::vector<Span> recorded{};
  std::uint64_t seed = 1;

  [[nodiscard]] bool none() const { return rate_per_s == 0 && recorded.empty(); }
};

/// "exponential:rate_per_s=1000,mean_s=1e-5[,seed=1]" or "trace:FILE[,seed=1]". Each line of the
/// file is a detour, "BEGIN_S,DURATION_S"; lines that begin with # are left out.
/// @throws UsageError naming what is wrong, where, and what is possible.
[[nodiscard]] Noise parse_noise(std::string_view text);

/// The detours of all ranks in one run.
class Detours {
 public:
  Detours(Noise noise, int procs);

  /// When the rank has done work that takes its processor for `work`, from `begin` on: before
  /// detours, between them and after them.
  /// @pre it is not before the times that the rank was asked for
  [[nodiscard]] Ticks end_of(int rank, Ticks begin, Ticks work);

 private:
  struct RankState {
    Span detour{};  // the next
    std::uint64_t random = 0;
    std::size_t place = 0;  // in the recorded ones
    Ticks repeated = 0;     // what to add to these
  };
  void go_on(RankState& state) const;

  Noise noise_;
  std::vector<RankState> ranks_;
};

}  // namespace breakeven::sim
