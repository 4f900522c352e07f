// SPDX-License-Identifier: BSD-3-Clause
#include <bit>
#include <cstdint>
#include <utility>

#include "core/error.hpp"
#include "kernels/exchange.hpp"

namespace breakeven::kernels {

namespace {

class Ordering {
 public:
  explicit Ordering(Exchange exchange) : exchange_{std::move(exchange)} {}

  Exchange exchange() && {
    find_order();
    renumber();
    return std::move(exchange_);
  }

 private:
  static auto& at(auto& list, int index) { return list[static_cast<std::size_t>(index)]; }
  [[nodiscard]] int rounds() const { return static_cast<int>(exchange_.rounds.size()); }

  /// The number of turns that come before each.
  [[nodiscard]] std::vector<int> turns_before() const {
    std::vector<int> before(2 * exchange_.rounds.size(), 0);
    for (int number = 0; number < rounds(); ++number) {
      const RankRound& round = at(exchange_.rounds, number);
      at(before, 2 * number + 1) += 1 + round.receives;
      if (round.next == RankRound::kNone) continue;
      at(before, 2 * round.next) += 1;
      for (const int index : exchange_.received_in(at(exchange_.rounds, round.next))) {
        at(before, 2 * at(exchange_.transfers, index).source_round) += 1;
      }
    }
    return before;
  }

  /// A rank has at most one turn that it can take.
  void find_order() {
    std::vector<int> before = turns_before();
    constexpr unsigned kBits = 64;
    std::vector<std::uint64_t> can((static_cast<std::size_t>(exchange_.procs) / kBits) + 1, 0);
    std::vector<std::uint64_t> can_next = can;
    std::vector<int> turns(exchange_.first_rounds.size());  // of each rank the next
    const auto let = [&](int rank) {
      can_next[static_cast<unsigned>(rank) / kBits] |= std::uint64_t{1}
                                                       << static_cast<unsigned>(rank) % kBits;
    };
    const auto release = [&](int turn) {
      if (--at(before, turn) == 0) let(at(exchange_.rounds, turn / 2).rank);
    };
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      const int first = at(exchange_.first_rounds, rank);
      at(turns, rank) = 2 * first;
      if (first != RankRound::kNone && at(before, 2 * first) == 0) let(rank);
    }
    exchange_.order.reserve(before.size());
    std::size_t known = 0;
    do {
      known = exchange_.order.size();
      std::swap(can, can_next);
      for (std::size_t word = 0; word < can.size(); ++word) {
        for (; can[word] != 0; can[word] &= can[word] - 1) {
          const auto rank = static_cast<int>(word * kBits) + std::countr_zero(can[word]);
          take(at(turns, rank), release);
        }
      }
    } while (known != exchange_.order.size());
    if (exchange_.order.size() != before.size()) {
      throw Error("ranks wait for each other for ever");
    }
  }

  void take(int& turn, const auto& release) {
    const int number = turn / 2;
    const bool receives = turn % 2 == 1;
    const RankRound& round = at(exchange_.rounds, number);
    exchange_.order.emplace_back(number, receives);
    if (!receives) {
      turn = 2 * number + 1;
      release(turn);
      for (const int index : exchange_.sent_in(round)) {
        release(2 * at(exchange_.transfers, index).to_round + 1);
      }
      return;
    }
    if (round.next == RankRound::kNone) return;
    turn = 2 * round.next;
    release(turn);
    for (const int index : exchange_.received_in(at(exchange_.rounds, round.next))) {
      release(2 * at(exchange_.transfers, index).source_round);
    }
  }

  /// Numbers rounds in the order in which they send, and transfers and receives by their rounds.
  void renumber() {
    std::vector<int> numbers(exchange_.rounds.size());  // of rounds
    std::vector<int> transfer_numbers(exchange_.transfers.size());
    std::vector<RankRound> rounds;
    std::vector<Transfer> transfers;
    rounds.reserve(exchange_.rounds.size());
    transfers.reserve(exchange_.transfers.size());
    for (Turn& turn : exchange_.order) {
      const auto number = static_cast<int>(turn.round());
      if (!turn.receives()) {
        RankRound round = at(exchange_.rounds, number);
        at(numbers, number) = static_cast<int>(rounds.size());
        for (const int index : exchange_.sent_in(round)) {
          at(transfer_numbers, index) = static_cast<int>(transfers.size());
          transfers.push_back(at(exchange_.transfers, index));
        }
        round.first_sent = static_cast<int>(transfers.size()) - round.sends;
        rounds.push_back(round);
      }
      turn = {at(numbers, number), turn.receives()};
    }
    for (int& first : exchange_.first_rounds) {
      if (first != RankRound::kNone) first = at(numbers, first);
    }
    for (Transfer& message : transfers) {
      message.source_round = at(numbers, message.source_round);
      message.to_round = at(numbers, message.to_round);
    }
    std::vector<int> received;
    received.reserve(exchange_.received.size());
    for (RankRound& round : rounds) {
      if (round.next != RankRound::kNone) round.next = at(numbers, round.next);
      const std::span<const int> own = exchange_.received_in(round);
      round.first_received = static_cast<int>(received.size());
      for (const int index : own) received.push_back(at(transfer_numbers, index));
    }
    exchange_.rounds = std::move(rounds);
    exchange_.transfers = std::move(transfers);
    exchange_.received = std::move(received);
  }

  Exchange exchange_;
};

}  // namespace

Exchange in_order(Exchange exchange) { return Ordering{std::move(exchange)}.exchange(); }

}  // namespace breakeven::kernels
