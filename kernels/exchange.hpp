// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ranges>
#include <span>
#include <vector>

#include "kernels/algorithm.hpp"
#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// A message of a collective: from a round of one rank to a round of another.
struct Transfer {
  int source = 0;  ///< rank
  int to = 0;      ///< rank
  int source_round = 0;
  int to_round = 0;
  int carried = 0;  ///< a set of blocks, in the order of the problem's vector
};

/// A round of a rank as its time depends on it.
struct RankRound {
  static constexpr int kNone = -1;
  int rank = 0;
  int next = kNone;  ///< the rank's next round
  int first_sent = 0;
  int sends = 0;  ///< transfers from there on, in the order of the schedule
  int first_received = 0;
  int receives = 0;
  int reduced = 0;  ///< a set of blocks: those of its local reductions
};

/// The part of a round that a rank does at once: it begins to send the round's messages; or it
/// takes those that it receives, and reduces.
class Turn {
 public:
  Turn(int round, bool receives) : number_{2 * round + (receives ? 1 : 0)} {}
  [[nodiscard]] std::size_t round() const { return static_cast<std::size_t>(number_ / 2); }
  [[nodiscard]] bool receives() const { return number_ % 2 == 1; }

 private:
  int number_;
};

/// The schedules of all ranks with their messages matched: the input of every machine model. It
/// does not depend on the message size. Flat, and numbered by `order`, so that an engine that
/// follows this order reads memory from one end to the other.
struct Exchange {
  int procs = 1;
  int blocks = 1;
  std::vector<Transfer> transfers{};
  std::vector<RankRound> rounds{};
  std::vector<int> first_rounds{};  ///< by rank; RankRound::kNone: it does nothing
  /// The turns of all ranks, two of each round. A rank sends after the round before, and after the
  /// receivers of its messages have come to the rounds that receive them; it receives after all
  /// those messages' senders have sent. Of turns that can be taken at a time lower ranks come
  /// first.
  std::vector<Turn> order{};
  std::vector<int> received{};             ///< transfers, see `received_in`
  std::vector<BlockRange> block_ranges{};  ///< of all sets of blocks, see `blocks_of`
  std::vector<int> set_ends{};             ///< by set: its end in block_ranges; set 0 is empty

  /// The transfers that a round sends.
  [[nodiscard]] auto sent_in(const RankRound& round) const {
    return std::views::iota(round.first_sent, round.first_sent + round.sends);
  }
  /// Those that it receives, in the order of the schedule.
  [[nodiscard]] std::span<const int> received_in(const RankRound& round) const {
    return std::span{received}.subspan(static_cast<std::size_t>(round.first_received),
                                       static_cast<std::size_t>(round.receives));
  }
  [[nodiscard]] int sets() const { return static_cast<int>(set_ends.size()); }
  [[nodiscard]] std::span<const BlockRange> blocks_of(int set) const {
    const int begin = set == 0 ? 0 : set_ends[static_cast<std::size_t>(set) - 1];
    const int end = set_ends[static_cast<std::size_t>(set)];
    return std::span{block_ranges}.subspan(static_cast<std::size_t>(begin),
                                           static_cast<std::size_t>(end - begin));
  }
};

/// Matches the k-th message that a rank sends to another with the k-th receive there.
/// @pre the schedules pass verify()
/// @throws Error when a message has no partner, or ranks wait for each other for ever, also where
///         no message is buffered.
[[nodiscard]] Exchange make_exchange(const Problem& problem, std::span<const Schedule> world);

/// Numbers an exchange by the order that is found for it.
/// @param exchange  complete but for `order`, however its rounds, transfers and receives are
///                  numbered; a round's transfers follow each other, and so do its receives
/// @throws Error when ranks wait for each other for ever.
[[nodiscard]] Exchange in_order(Exchange exchange);

/// That of an algorithm, one rank's schedule after the other.
/// @throws UsageError as require_runs.
[[nodiscard]] Exchange exchange_of(const Algorithm& algorithm, Problem problem);

}  // namespace breakeven::kernels
