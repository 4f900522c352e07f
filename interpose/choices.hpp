// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

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

/// By what the collectives on one communicator are performed, and the plans of those that were
/// called lately. All of it follows from values that are equal on all ranks.
class Choices {
 public:
  /// Not collective. Chooses nothing between two groups of processes, for a single one, and where
  /// some are not of MPI_COMM_WORLD.
  Choices(const Job& job, MPI_Comm comm);

  /// Whether all calls of the collective are left to the library, and not counted either.
  [[nodiscard]] bool ignores(Collective collective) const {
    return of(collective).empty() && uses_ == nullptr;
  }

  /// See api::is_valid.
  [[nodiscard]] bool is_valid(const executor::MpiCall& call) const {
    return api::is_valid(call, layout_.procs, me_);
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
    return choices_[static_cast<std::size_t>(collective)];
  }
  [[nodiscard]] api::SizeChoices all_that_run(Collective collective) const;

  using Named = std::pair<Collective, std::string>;

  const Job* job_;
  NodeLayout layout_{};
  int me_ = 0;
  std::array<api::SizeChoices, kCollectives.entries.size()> choices_{};
  std::array<Known, 64> known_{};
  std::map<Named, std::shared_ptr<const forced::ForcedAlgorithm>> forced_{};
  std::unique_ptr<CommUses> uses_{};  ///< null: calls are not counted
};

}  // namespace breakeven::interpose
