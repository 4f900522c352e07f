// SPDX-License-Identifier: BSD-3-Clause
#include "executor/plan_cache.hpp"

namespace breakeven {

std::size_t PlanCache::Hash::operator()(const PlanKey& key) const {
  std::uint64_t hash = key.size();
  for (const std::int64_t word : key) {
    hash = (hash ^ static_cast<std::uint64_t>(word)) * 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
    hash ^= hash >> 32;
  }
  return hash;
}

Plan* PlanCache::find(const PlanKey& key) {
  if (!plans_.empty() && plans_.front().first == key) return &plans_.front().second;
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  plans_.splice(plans_.begin(), plans_, found->second);
  return &plans_.front().second;
}

Plan& PlanCache::add(const PlanKey& key, Plan plan) {
  if (plans_.size() == kMost) {
    index_.erase(plans_.back().first);
    plans_.pop_back();
  }
  plans_.emplace_front(key, std::move(plan));
  index_.emplace(key, plans_.begin());
  return plans_.front().second;
}

}  // namespace breakeven
