// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/by_table.hpp"
#include "api/is_valid.hpp"
#include "core/collective.hpp"
#include "executor/mpi_call.hpp"
#include "executor/plan.hpp"
#include "interpose/job.hpp"
#include "interpose/signature.hpp"
#include "interpose/uses.hpp"
#include "libraries/forced/forced_algorithm.hpp"
#include "mock_ups/composed/program_call.hpp"

namespace breakeven::interpose {

/// How a call is performed.
struct Way {
  executor::Plan* plan = nullptr;                   ///< null: by the library
  const forced::ForcedAlgorithm* forced = nullptr;  ///< that the library runs; null: it chooses
  composed::ProgramCall* composed = nullptr;        ///< of other collectives of the library
  MPI_Op op = MPI_OP_NULL;
  Amount* amount = nullptr;  ///< that it adds to; null: it is not counted
  int error = MPI_SUCCESS;   ///< else it is not performed: the other ranks wait for a plan
};

/// What is chosen on all communicators of one layout.
struct LayoutChoices {
  NodeLayout layout{};
  std::array<api::SizeChoices, kCollectives.entries.size()> of_collectives{};
};

/// By what the collectives on one communicator are performed, and the plans of those that were
/// called lately. All follows from values, as the number of calls, that are equal on all ranks.
class Choices {
 public:
  /// The first call on a communicator, other than MPI_COMM_WORLD, that is worth what it takes to
  /// prepare for it. Those before are the library's.
  static constexpr int kFirstServed = 16;

  /// Not collective. Chooses nothing between two groups of processes, for a single one, and where
  /// some are not of MPI_COMM_WORLD.
  Choices(const Job& job, MPI_Comm comm);

  /// To be asked at each call: whether it is left to the library, and not counted in a profile.
  [[nodiscard]] bool leaves(Collective collective) noexcept {
    if (unserved_ > 0 && --unserved_ == 0) look();
    return shared_ == nullptr || (of(collective).empty() && job_->profile.empty());
  }

  /// See api::is_valid.
  [[nodiscard]] bool is_valid(const executor::MpiCall& call) const {
    return api::is_valid(call, shared_->layout.procs, me_);
  }

  /// Null: the library chooses. The same for equal calls.
  /// @pre is_valid(call)
  [[nodiscard]] const api::SizeChoice* choose(const executor::MpiCall& call) const;

  /// The library's own algorithm that was chosen for the call, kept as long as this; null where
  /// this library has none of the name.
  [[nodiscard]] const forced::ForcedAlgorithm* forced(const std::string& algorithm,
                                                      const executor::MpiCall& call);

  /// Counts the calls of this kind; null where none are counted.
  /// @param choice  as choose() has it
  [[nodiscard]] Amount* amount_of(const executor::MpiCall& call, const Way& way,
                                  const api::SizeChoice* choice);
  /// Whether plans can be made: not once the program has our communicator.
  [[nodiscard]] bool has_channel() const { return job_->world != nullptr; }
  /// Whether this process counts the calls of all.
  [[nodiscard]] bool first() const { return me_ == 0; }

  /// What a call came to, and stays while freed_handles() does.
  struct Known {
    Signature signature{};
    std::uint64_t freed = 0;
    Way way{};
    std::unique_ptr<composed::ProgramCall> composed{};  ///< the way's
  };
  [[nodiscard]] Known& known(const Signature& signature) {
    return known_[signature.hash() % known_.size()];
  }

 private:
  [[nodiscard]] const api::SizeChoices& of(Collective collective) const {
    static constinit const api::SizeChoices none{};
    return unserved_ > 0 ? none : shared_->of_collectives[static_cast<std::size_t>(collective)];
  }
  void look() noexcept;

  const Job* job_;
  MPI_Comm comm_;
  int me_ = 0;
  int unserved_;                                   ///< calls until they are worth it
  std::shared_ptr<const LayoutChoices> shared_{};  ///< null: nothing to choose or count, or not yet
  std::vector<Known> known_{};
  std::map<std::pair<Collective, std::string>, std::shared_ptr<const forced::ForcedAlgorithm>>
      forced_{};
};

}  // namespace breakeven::interpose
