// SPDX-License-Identifier: BSD-3-Clause
#include "executor/comm_plans.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>

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

/// Of the processes that are first in some communicator: what tells its messages from others'.
class Tags {
 public:
  /// A tag that no communicator has that shares two processes with this one: each process gives
  /// those of its own range. One that was freed comes last, when its messages are gone everywhere.
  /// @return -1 when all are taken
  int take(const Communicator& world) {
    const std::scoped_lock lock{mutex_};
    void* bound = nullptr;
    int found = 0;
    check_mpi(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found), "MPI_Comm_get_attr");
    const int most = *static_cast<int*>(bound) / world.procs();
    if (std::ssize(taken_) >= most) return -1;
    do {
      next_ = (next_ + 1) % most;
    } while (!taken_.insert(world.me().value * most + next_).second);
    return world.me().value * most + next_;
  }
  void free(int tag) {
    const std::scoped_lock lock{mutex_};
    taken_.erase(tag);
  }

 private:
  std::mutex mutex_;
  std::set<int> taken_;
  int next_ = -1;
};

Tags& tags() {
  static auto& tags = *new Tags;
  return tags;
}

std::atomic<const Communicator*>& shared_channel() {
  static constinit std::atomic<const Communicator*> shared{nullptr};
  return shared;
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

void share_channel(const Communicator* world) { shared_channel() = world; }

CommPlans::CommPlans(MPI_Comm comm, const Communicator* shared) {
  check_mpi(MPI_Comm_size(comm, &procs), "MPI_Comm_size");
  check_mpi(MPI_Comm_rank(comm, &me.value), "MPI_Comm_rank");
  if (shared == nullptr) {
    channel = {own.emplace(comm, Communicator::Without::attributes).get()};
    return;
  }
  channel = {shared->get(), me == Rank{0} ? tags().take(*shared) : 0, comm};
  // Past our own replacement of it, where there is one.
  check_mpi(PMPI_Bcast(&channel.tag, 1, MPI_INT, 0, comm), "MPI_Bcast");
}

CommPlans::~CommPlans() {
  if (!own && me == Rank{0} && channel.tag >= 0) tags().free(channel.tag);
}

CommPlans& CommPlans::of(MPI_Comm comm) {
  void* plans = nullptr;
  int found = 0;
  int inter = 0;
  check_mpi(MPI_Comm_get_attr(comm, plans_keyval(), &plans, &found), "MPI_Comm_get_attr");
  if (found == 0) {
    check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    if (inter != 0) throw UsageError("Breakeven has no algorithms between two groups of processes");
    auto made = std::make_unique<CommPlans>(comm, shared_channel());
    check_mpi(MPI_Comm_set_attr(comm, plans_keyval(), made.get()), "MPI_Comm_set_attr");
    owners().add(comm);
    delete_all_at_finalize();
    plans = made.release();
  }
  CommPlans& ours = *static_cast<CommPlans*>(plans);
  // All processes remember it alike: none asks for a tag alone.
  if (ours.channel.tag < 0) throw UsageError("too many communicators have plans");
  return ours;
}

}  // namespace breakeven::executor
