// SPDX-License-Identifier: BSD-3-Clause
#include "executor/comm_plans.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "core/error.hpp"
#include "executor/freed_handles.hpp"
#include "executor/mpi_error.hpp"

namespace breakeven::executor {

namespace {

/// The communicators that have plans, in the order in which they got them.
class Owners {
 public:
  void add(MPI_Comm comm) {
    const std::scoped_lock lock{mutex_};
    comms_.push_back(comm);
  }
  void remove(MPI_Comm comm) {
    const std::scoped_lock lock{mutex_};
    std::erase(comms_, comm);
  }
  [[nodiscard]] std::vector<MPI_Comm> all() {
    const std::scoped_lock lock{mutex_};
    return comms_;
  }

 private:
  std::mutex mutex_;
  std::vector<MPI_Comm> comms_;
};

/// Never destroyed: MPI_Finalize may run in a destructor.
Owners& owners() {
  static auto& owners = *new Owners;
  return owners;
}

int delete_plans(MPI_Comm comm, int, void* plans, void*) {
  ++freed_handles();
  owners().remove(comm);
  delete static_cast<CommPlans*>(plans);
  return MPI_SUCCESS;
}

int make_keyval(MPI_Comm_delete_attr_function* delete_attribute) {
  int keyval = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute, &keyval, nullptr),
            "MPI_Comm_create_keyval");
  return keyval;
}

int plans_keyval() {
  static const int keyval = make_keyval(delete_plans);
  return keyval;
}

int delete_all(MPI_Comm, int, void*, void*) {
  delete_all_plans();
  return MPI_SUCCESS;
}

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF while MPI still works. Those of other
/// communicators that nobody freed it deletes later, or, in newer libraries, never.
void delete_all_at_finalize() {
  static const int keyval = make_keyval(delete_all);
  static const int set = MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
  check_mpi(set, "MPI_Comm_set_attr");
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

std::shared_ptr<Plan> PlanCache::find(const PlanKey& key) {
  if (!plans_.empty() && plans_.front().first == key) return plans_.front().second;
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  plans_.splice(plans_.begin(), plans_, found->second);
  return plans_.front().second;
}

void PlanCache::add(const PlanKey& key, std::shared_ptr<Plan> plan) {
  if (plans_.size() == kMost) {
    ++freed_handles();
    index_.erase(plans_.back().first);
    plans_.pop_back();
  }
  plans_.emplace_front(key, std::move(plan));
  index_.emplace(key, plans_.begin());
}

void delete_all_plans() {
  for (const MPI_Comm comm : owners().all()) MPI_Comm_delete_attr(comm, plans_keyval());
}

CommPlans* CommPlans::find(MPI_Comm comm) {
  void* plans = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(comm, plans_keyval(), &plans, &found), "MPI_Comm_get_attr");
  return found != 0 ? static_cast<CommPlans*>(plans) : nullptr;
}

CommPlans& CommPlans::of(MPI_Comm comm) {
  if (CommPlans* const found = find(comm)) return *found;
  int inter = 0;
  check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  if (inter != 0) throw UsageError("Breakeven has no algorithms between two groups of processes");
  auto made = std::make_unique<CommPlans>(comm);
  check_mpi(MPI_Comm_set_attr(comm, plans_keyval(), made.get()), "MPI_Comm_set_attr");
  owners().add(comm);
  delete_all_at_finalize();
  return *made.release();
}

}  // namespace breakeven::executor
