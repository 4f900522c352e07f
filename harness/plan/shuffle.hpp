// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace breakeven::plan {

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
