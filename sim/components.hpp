// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "kernels/exchange.hpp"

namespace breakeven::sim {

/// The rounds of an exchange in components: those that messages link, directly or through other
/// rounds. A component depends on others only by the times when its ranks come to its rounds.
class Components {
 public:
  explicit Components(const kernels::Exchange& exchange);

  [[nodiscard]] int count() const { return static_cast<int>(ends_.size()); }
  [[nodiscard]] std::span<const int> rounds_of(int component) const {
    const auto number = static_cast<std::size_t>(component);
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::span{rounds_}.subspan(begin, ends_[number] - begin);
  }
  [[nodiscard]] int component_of(int round) const { return member(round).component; }
  /// Which of the rounds of its component it is: they go by rank.
  [[nodiscard]] int place_of(int round) const { return member(round).place; }

  /// Makes these rounds a component of their own, the last.
  void unite(std::span<const int> rounds);

 private:
  static constexpr int kNone = -1;
  struct Member {
    int component = kNone;
    int place = 0;
  };
  [[nodiscard]] const Member& member(int round) const {
    return members_[static_cast<std::size_t>(round)];
  }
  Member& member(int round) { return members_[static_cast<std::size_t>(round)]; }
  [[nodiscard]] const kernels::RankRound& round(int number) const {
    return exchange_.rounds[static_cast<std::size_t>(number)];
  }
  void add(int round);
  void end_component();

  const kernels::Exchange& exchange_;
  std::vector<Member> members_;    // by round
  std::vector<int> rounds_;        // of all components
  std::vector<std::size_t> ends_;  // in rounds_, by component
};

}  // namespace breakeven::sim
