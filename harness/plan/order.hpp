// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/case.hpp"

namespace breakeven::plan {

/// Consecutive cases of a request, by index: the candidates of one problem.
struct CandidateRange {
  int first = 0;
  int count = 0;
  friend bool operator==(const CandidateRange&, const CandidateRange&) = default;
};

/// Splits the cases where they differ in more than algorithm and parameters; keeps their order.
[[nodiscard]] inline std::vector<CandidateRange> problems_of(std::span<const Case> cases) {
  std::vector<CandidateRange> problems;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i == 0 || without_algorithm(cases[i - 1]) != without_algorithm(cases[i])) {
      problems.push_back({.first = static_cast<int>(i)});
    }
    ++problems.back().count;
  }
  return problems;
}

/// Fisher-Yates with a fixed generator: the same seed gives the same order on every rank and
/// platform, which std::shuffle does not promise.
template <typename Item>
void shuffle(std::vector<Item>& items, std::uint64_t seed) {
  std::mt19937_64 generator{seed};
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[generator() % left]);
  }
}

/// One seed for each launch of a sweep (splitmix64 over the parts), so that launches differ and
/// each can be repeated alone.
[[nodiscard]] constexpr std::uint64_t mixed_seed(std::uint64_t seed, std::uint64_t first,
                                                 std::uint64_t second) {
  for (const std::uint64_t part : {first, second}) {
    seed += 0x9e3779b97f4a7c15U + part;
    seed = (seed ^ (seed >> 30U)) * 0xbf58476d1ce4e5b9U;
    seed = (seed ^ (seed >> 27U)) * 0x94d049bb133111ebU;
    seed ^= seed >> 31U;
  }
  return seed;
}

/// FNV-1a: a number for a text, the same on every platform.
[[nodiscard]] constexpr std::uint64_t number_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char character : text) {
    hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3U;
  }
  return hash;
}

}  // namespace breakeven::plan
