// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>
#include <vector>

#include "executor/plan.hpp"

namespace breakeven {

/// The words that tell one call from all others: equal words, equal plan.
using PlanKey = std::vector<std::int64_t>;

/// The plans of a communicator that were used last.
class PlanCache {
 public:
  static constexpr std::size_t kMost = 1024;

  /// The plan of such a call, or null.
  [[nodiscard]] Plan* find(const PlanKey& key);
  /// Drops the plan that was not used for longest when there are too many.
  Plan& add(const PlanKey& key, Plan plan);
  [[nodiscard]] std::size_t size() const { return plans_.size(); }

 private:
  using Plans = std::list<std::pair<PlanKey, Plan>>;
  struct Hash {
    std::size_t operator()(const PlanKey& key) const;
  };

  Plans plans_;  // those used last first
  std::unordered_map<PlanKey, Plans::iterator, Hash> index_;
};

}  // namespace breakeven
