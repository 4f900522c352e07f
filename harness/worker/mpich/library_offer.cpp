// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_offer.hpp"

#include "harness/worker/mpich/default_trees.hpp"
#include "harness/worker/mpich/variables.hpp"

namespace breakeven {

LibraryOffer library_offer(int /*nodes*/) {
  LibraryOffer offer;
  for (const auto& collective : kCollectives.entries) {
    int value = 0;
    for (const std::string& name : mpich::algorithm_choices(collective.value)) {
      if (!name.empty() && name != mpich::kAuto) {
        offer.algorithms.push_back({.collective = collective.value, .name = name, .value = value});
      }
      ++value;
    }
    value = 1;
    for (const std::string& name : mpich::composition_choices(collective.value)) {
      offer.algorithms.push_back({.collective = collective.value, .name = name, .value = value++});
    }
  }
  offer.default_trees = default_trees();
  return offer;
}

}  // namespace breakeven
