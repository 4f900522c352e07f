// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_capabilities.hpp"

#include "harness/worker/mpich/default_trees.hpp"
#include "harness/worker/mpich/variables.hpp"

namespace breakeven {

LibraryCapabilities library_capabilities(int /*nodes*/) {
  LibraryCapabilities capabilities;
  for (const auto& collective : kCollectives.entries) {
    int value = 0;
    for (const std::string& name : mpich::algorithm_choices(collective.value)) {
      if (!name.empty() && name != mpich::kAuto) {
        capabilities.algorithms.push_back(
            {.collective = collective.value, .name = name, .value = value});
      }
      ++value;
    }
    value = 1;
    for (const std::string& name : mpich::composition_choices(collective.value)) {
      capabilities.algorithms.push_back(
          {.collective = collective.value, .name = name, .value = value++});
    }
  }
  capabilities.default_trees = default_trees();
  return capabilities;
}

}  // namespace breakeven
