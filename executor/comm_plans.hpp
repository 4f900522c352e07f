// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <memory>

#include "executor/arena.hpp"
#include "executor/communicator.hpp"
#include "executor/plan_cache.hpp"

namespace breakeven {

/// What calls on one communicator share: a duplicate of it, so that messages of plans and of its
/// users never meet, the plans, and the arena that they take turns in. It is attached to the
/// communicator and goes with it.
struct CommPlans {
  explicit CommPlans(MPI_Comm parent) : comm{parent} {}

  /// Those of a communicator. Collective when it has none yet.
  /// @throws UsageError for an intercommunicator.
  [[nodiscard]] static CommPlans& of(MPI_Comm comm);

  Communicator comm;
  PlanCache plans{};
  std::shared_ptr<Arena> arena = std::make_shared<Arena>();
  PlanKey key{};  ///< of the call at hand; kept for its memory
  /// Whether the ranks of a gatherv or scatterv must be told the shares of others, by the words
  /// that tell its schedule.
  std::map<PlanKey, bool> needs_all_shares{};
};

}  // namespace breakeven
