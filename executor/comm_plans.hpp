// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "executor/arena.hpp"
#include "executor/communicator.hpp"
#include "executor/plan.hpp"

namespace breakeven::executor {

/// The words that tell one call from all others: equal words, equal plan.
using PlanKey = std::vector<std::int64_t>;

/// The plans of a communicator that were used last.
class PlanCache {
 public:
  static constexpr std::size_t kMost = 1024;

  /// The plan of such a call, or null.
  [[nodiscard]] std::shared_ptr<Plan> find(const PlanKey& key);
  /// Drops the plan that was not used for longest when there are too many.
  void add(const PlanKey& key, std::shared_ptr<Plan> plan);
  [[nodiscard]] std::size_t size() const { return plans_.size(); }

 private:
  using Plans = std::list<std::pair<PlanKey, std::shared_ptr<Plan>>>;
  struct Hash {
    std::size_t operator()(const PlanKey& key) const;
  };

  Plans plans_;  // those used last first
  std::unordered_map<PlanKey, Plans::iterator, Hash> index_;
};

/// What calls on one communicator share: a channel on which messages of plans and of its users
/// never meet, the plans, and the room that they take turns in. It is attached to the communicator
/// and goes with it, or with MPI_Finalize.
struct CommPlans {
  CommPlans(MPI_Comm comm, const Communicator* shared);
  ~CommPlans();
  CommPlans(const CommPlans&) = delete;
  CommPlans& operator=(const CommPlans&) = delete;

  /// Those of a communicator. Collective when it has none yet.
  /// @throws UsageError for an intercommunicator.
  [[nodiscard]] static CommPlans& of(MPI_Comm comm);

  int procs = 0;
  Rank me{};
  Channel channel{};
  PlanCache plans{};
  std::shared_ptr<Arena> arena = std::make_shared<Arena>();
  PlanKey key{};  ///< of the call at hand; kept for its memory
  /// Whether the ranks of a gatherv or scatterv must be told the shares of others, by the words
  /// that tell its schedule.
  std::map<PlanKey, bool> needs_all_shares{};
  std::optional<Communicator> own{};  ///< the channel's; none where it is shared
};

/// From now on the channels of communicators are tags of this one instead of duplicates, which a
/// library has few of. To be called before plans are made.
/// @param world  a duplicate of MPI_COMM_WORLD, which holds the processes of all; null: no longer
void share_channel(const Communicator* world);

/// Those of all communicators of this process; MPI_Finalize does so too.
void delete_all_plans();

}  // namespace breakeven::executor
