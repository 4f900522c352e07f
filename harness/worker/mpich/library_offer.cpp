// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_offer.hpp"

#include "harness/worker/mpich/default_trees.hpp"
#include "harness/worker/mpich/variables.hpp"

namespace breakeven {

LibraryOffer library_offer(int /*nodes*/) {
  LibraryOffer offer;
  for (const auto& collective : kCollectives.entries) {
    const std::vector<std::string> names = mpich::algorithm_choices(collective.value);
    for (std::size_t value = 0; value < names.size(); ++value) {
      if (names[value].empty() || names[value] == mpich::kAuto) continue;
      offer.algorithms.push_back(
          {.collective = collective.value, .name = names[value], .value = static_cast<int>(value)});
    }
  }
  offer.default_trees = default_trees();
  return offer;
}

}  // namespace breakeven
