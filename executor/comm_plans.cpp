// SPDX-License-Identifier: BSD-3-Clause
#include "executor/comm_plans.hpp"

#include <memory>

#include "core/error.hpp"
#include "executor/mpi_error.hpp"

namespace breakeven::executor {

namespace {

int delete_plans(MPI_Comm, int, void* plans, void*) {
  delete static_cast<CommPlans*>(plans);
  return MPI_SUCCESS;
}

int make_plans_keyval() {
  int keyval = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_plans, &keyval, nullptr),
            "MPI_Comm_create_keyval");
  return keyval;
}

}  // namespace

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

CommPlans& CommPlans::of(MPI_Comm comm) {
  static const int keyval = make_plans_keyval();
  void* plans = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(comm, keyval, &plans, &found), "MPI_Comm_get_attr");
  if (found != 0) return *static_cast<CommPlans*>(plans);
  int inter = 0;
  check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  if (inter != 0) throw UsageError("Breakeven has no algorithms between two groups of processes");
  auto made = std::make_unique<CommPlans>(comm);
  check_mpi(MPI_Comm_set_attr(comm, keyval, made.get()), "MPI_Comm_set_attr");
  return *made.release();
}

}  // namespace breakeven::executor
