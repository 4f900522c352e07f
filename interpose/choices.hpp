// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "api/by_table.hpp"
#include "api/comm_calls.hpp"
#include "core/collective.hpp"
#include "core/error.hpp"
#include "executor/mpi_call.hpp"
#include "interpose/job.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::interpose {

/// The choices for the collectives on one communicator, and its calls that were bound lately. All
/// follow from values that are equal on all ranks, among them the number of calls.
class Choices {
 public:
  /// The first served call on a communicator other than MPI_COMM_WORLD. The library performs the
  /// calls before: they would gain less than the preparation costs.
  static constexpr int kFirstServed = 16;

  /// Not collective. There are no choices between two groups of processes, for a single process,
  /// and where some processes are not of MPI_COMM_WORLD.
  Choices(const Job& job, MPI_Comm comm);

  /// To be asked at each call: whether it is left to the library, and not counted in a profile.
  [[nodiscard]] bool leaves(Collective collective) noexcept {
    if (unserved_ > 0 && --unserved_ == 0) look();
    return shared_ == nullptr || (job_->profile.empty() && left_to_library(collective));
  }

  /// The choice for a call, bound to it: found where it was bound lately, else made and kept. Null:
  /// the library performs the call, uncounted, for example because it will refuse the arguments.
  /// Valid until the next call on the communicator.
  /// @param error  is set where the call fails, because other ranks may wait for a plan
  [[nodiscard]] const api::KeptChoice* choice_for(const executor::MpiCall& call,
                                                  int& error) noexcept {
    try {
      // In each gatherv or scatterv ranks may have to hear of each other's shares first.
      if (api::root_knows_shares(call.collective)) return bound(call);
      const api::KeptChoice* const found = calls_.find(call);
      if (found == nullptr) return bound(call);
      executor::Plan* const plan = found->choice.plan();
      return plan == nullptr || plan->fits(call, {}) ? found : refitted(*found, call);
    } catch (const Error&) {
      // MPI refused something.
    } catch (const std::exception&) {
      error = MPI_ERR_NO_MEM;
    }
    return nullptr;
  }

  /// Whether calls are counted in a profile.
  [[nodiscard]] bool counts() const { return shared_ != nullptr && !job_->profile.empty(); }
  /// The amount of calls like this one in a form that is left to the library; null: the library
  /// will refuse the arguments.
  /// @pre counts()
  [[nodiscard]] tables::Amount* amount_of(const executor::MpiCall& call, CallForm form) noexcept;

  /// The amount of calls for which the library ran one of its algorithms.
  /// @param kept  of choice_for(), to be counted
  [[nodiscard]] tables::Amount& amount_of(const executor::MpiCall& call, tables::Amount& kept,
                                          const libraries::LibraryAlgorithm& ran) noexcept;

  /// Between the communicator's ranks, see tables::OrderedCall; nothing where threads call at
  /// once, so that a process's calls have no order.
  /// @pre counts()
  [[nodiscard]] std::optional<int> ordered_stride() const {
    return job_->one_thread ? std::optional{stride_} : std::nullopt;
  }
  /// This process's rank.
  [[nodiscard]] int me() const { return me_; }

 private:
  [[nodiscard]] bool left_to_library(Collective collective) const {
    return unserved_ > 0 || shared_->of(collective).empty();
  }
  void look() noexcept;
  /// Null: the library chooses.
  [[nodiscard]] const Variant* choose(const executor::MpiCall& call) const;
  /// The choice with its plan made ready for the call's sizes. Null: the library refuses them.
  [[nodiscard]] const api::KeptChoice* refitted(const api::KeptChoice& kept,
                                                const executor::MpiCall& call) const;
  /// For a call that find() has just not found, or whose shares only the root knows.
  [[nodiscard]] const api::KeptChoice* bound(const executor::MpiCall& call);
  /// @param native  the algorithm that the library will run, where that is known
  void count(const executor::MpiCall& call, const Variant& native, api::KeptChoice& kept) const;

  const Job* job_;
  MPI_Comm comm_;
  int me_ = 0;
  int stride_ = 1;
  int unserved_;  ///< calls until they are worth the preparation
  std::shared_ptr<const api::LayoutChoices> shared_{};  ///< null: nothing to choose or count, or
                                                        ///< not yet
  api::CommCalls calls_;
  std::map<std::array<std::intptr_t, 4>, tables::Amount*> amounts_{};  ///< of amount_of()
  /// Of calls that were observed.
  std::map<std::pair<tables::Amount*, const libraries::LibraryAlgorithm*>, tables::Amount*>
      observed_{};
  api::KeptChoice unkept_{};  ///< of the last call whose choice would not be worth keeping
};

/// Performs a call by our algorithm or a mock-up.
/// @return an error only after the communicator's error handler got it, which may throw
[[nodiscard]] int perform(const api::BoundChoice& choice, const executor::MpiCall& call);

/// Tells the communicator's error handler, which may throw.
int fail(int error, MPI_Comm comm);

/// The choices of a communicator, made at its first call; null where there can be none. Not
/// collective.
[[nodiscard]] Choices* find_choices(MPI_Comm comm) noexcept;

}  // namespace breakeven::interpose
