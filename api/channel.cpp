// SPDX-License-Identifier: BSD-3-Clause
// The channels of communicators, on which the messages of plans travel.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <vector>

#include "api/comm_calls.hpp"
#include "core/error.hpp"
#include "executor/mpi_error.hpp"

namespace breakeven::api {

namespace {

using executor::check_mpi;

/// The communicators that have channels. Never destroyed, as MPI_Finalize may run in a destructor.
struct WithChannel {
  std::mutex mutex;
  std::vector<CommCalls*> all;
};
WithChannel& with_channel() {
  static auto& with_channel = *new WithChannel;
  return with_channel;
}

std::atomic<const executor::Communicator*>& shared_channel() {
  static constinit std::atomic<const executor::Communicator*> shared{nullptr};
  return shared;
}

int close_at_finalize(MPI_Comm, int, void*, void*) {
  CommCalls::close_all();
  return MPI_SUCCESS;
}

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF while MPI still works. Those of other
/// communicators that nobody freed it deletes later, or, in newer libraries, never.
void watch_finalize() {
  static const int keyval = make_keyval(close_at_finalize);
  static const int set = MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
  check_mpi(set, "MPI_Comm_set_attr");
}

/// Tags that tell the messages of communicators apart. Each process gives those of its own range,
/// to communicators in which it is first.
class Tags {
 public:
  /// A tag of no other communicator that shares two processes with this one. A freed tag comes
  /// last, when its messages are gone everywhere.
  /// @return -1 when all are taken
  int take(const executor::Communicator& world) {
    const std::scoped_lock lock{mutex_};
    const int most = most_tag() / world.procs();
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

}  // namespace

int most_tag() {
  void* bound = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found), "MPI_Comm_get_attr");
  return *static_cast<int*>(bound);
}

const executor::Channel& CommCalls::channel() {
  if (!channel_) {
    executor::Channel made;
    if (const executor::Communicator* const world = shared_channel()) {
      made.comm = world->get();
      made.members = comm_;
      int me = 0;
      check_mpi(MPI_Comm_rank(comm_, &me), "MPI_Comm_rank");
      gave_tag_ = me == 0;
      if (gave_tag_) made.tag = tags().take(*world);
      // Past our own replacement of it, where there is one.
      check_mpi(PMPI_Bcast(&made.tag, 1, MPI_INT, 0, comm_), "MPI_Bcast");
    } else {
      made.comm = own_.emplace(comm_, executor::Communicator::Without::attributes).get();
    }
    channel_ = std::move(made);
    const std::scoped_lock lock{with_channel().mutex};
    with_channel().all.push_back(this);
    watch_finalize();
  }
  // All processes remember it alike: none asks for a tag alone.
  if (channel_->tag < 0) throw UsageError("too many communicators have plans");
  return *channel_;
}

const executor::Communicator& CommCalls::own() {
  static_cast<void>(channel());
  return own_.value();
}

void CommCalls::close() {
  entries_.clear();
  buckets_.clear();
  if (!channel_) return;
  {
    const std::scoped_lock lock{with_channel().mutex};
    std::erase(with_channel().all, this);
  }
  if (gave_tag_ && channel_->tag >= 0) tags().free(channel_->tag);
  own_.reset();
  channel_.reset();
}

void CommCalls::close_all() {
  std::vector<CommCalls*> all;
  {
    const std::scoped_lock lock{with_channel().mutex};
    all = with_channel().all;
  }
  for (CommCalls* const each : all) each->close();
}

void CommCalls::share_channel(const executor::Communicator* world) { shared_channel() = world; }

}  // namespace breakeven::api
