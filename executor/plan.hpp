// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "executor/call_terms.hpp"
#include "executor/program.hpp"
#include "kernels/call.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::executor {

/// Memory that plans use between their steps. Plans that never run at the same time share one, as
/// large as the largest needs.
class Arena {
 public:
  static constexpr std::align_val_t kAlignment{64};

  /// Makes room for `bytes` and touches it. Its contents are lost when it grows.
  void reserve(std::size_t bytes) {
    if (bytes <= size_) return;
    memory_.reset();
    size_ = 0;
    memory_.reset(static_cast<std::byte*>(::operator new(bytes, kAlignment)));
    size_ = bytes;
    std::memset(memory_.get(), 0, bytes);
  }
  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  struct Delete {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
  };
  std::unique_ptr<std::byte, Delete> memory_;
  std::size_t size_ = 0;
};

/// Where the messages of plans travel, apart from all others, and the memory of these plans.
struct Channel {
  MPI_Comm comm = MPI_COMM_NULL;  ///< returns errors
  int tag = 0;
  MPI_Comm members = MPI_COMM_NULL;  ///< numbers the plan's processes; null: comm does
  std::shared_ptr<Arena> arena = std::make_shared<Arena>();  ///< plans run one at a time
};

/// One rank's schedule bound to a communicator and to a kind of call, ready to run any number of
/// times on any buffers and, after fit(), for any sizes.
///
/// Everything that is not communication happens in the constructor and in `fit()`. `run()`
/// allocates nothing and checks nothing but MPI's status, so it may stand inside a timed region.
class Plan {
 public:
  /// Not collective.
  /// @param shares   as take_sizes() has them
  /// @param channel  as many members as the call has; no other messages while the plan runs
  /// @throws Error as bind_schedule() and write_program() do, or when the channel does not fit the
  ///         call; UsageError as terms_of() and take_sizes() do.
  Plan(kernels::Schedule schedule, const MpiCall& call, const kernels::Problem& problem,
       std::span<const std::int64_t> shares, const Channel& channel);
  /// Of a call of a predefined datatype and operation, on the buffers that memory_of() says.
  /// @throws UsageError also, when MPI does not define the operation on the datatype.
  Plan(kernels::Schedule schedule, const kernels::CollectiveCall& call, MPI_Comm comm);

  /// Whether these are the counts and shares of the last call that the plan was made ready for.
  /// @pre it is a plan of MpiCalls
  [[nodiscard]] bool fits(const MpiCall& call, std::span<const std::int64_t> shares) const {
    const auto same = [](const auto& one, const auto& other) {
      return one == other || (one != nullptr && other != nullptr && *one == *other);
    };
    return sizes_.input == call.input.count && sizes_.output == call.output.count &&
           same(sizes_.shares, call.shares) && same(sizes_.sent, call.sent) &&
           std::ranges::equal(sizes_.told, shares);
  }
  /// Makes the plan ready for a call that differs from those before in nothing but counts, places
  /// of shares and buffers. Not collective.
  /// @throws as the constructor; then the plan fits no call until the next fit().
  void fit(const MpiCall& call, std::span<const std::int64_t> shares) {
    if (!fits(call, shares)) refit(call, shares);
  }

  /// Collective. Performs the schedule once; this rank's output is complete on return. Messages of
  /// no bytes are sent too, so that every send meets its receive.
  /// @param input   not used by a plan in place
  /// @param op      the operation, where the library performs it
  /// @throws Error naming the MPI call that failed; messages may still be under way then, so that
  ///         only MPI_Abort is left.
  void run(const void* input, void* output, MPI_Op op = MPI_OP_NULL);

  /// Collective. Begins a run and returns at once. Plans of other tags and arenas may run, and be
  /// started, while it is under way.
  /// @pre none of this plan is under way; until it is complete neither run() nor fit()
  void start(const void* input, void* output, MPI_Op op = MPI_OP_NULL);
  /// Goes on with the run that was started, as far as messages have arrived.
  /// @return whether it is complete
  /// @throws as run()
  bool advance();

 private:
  using Addresses = std::array<std::byte*, 3>;  // of each Buffer

  /// The steps of a started run that come next.
  struct Started {
    Addresses at{};
    MPI_Op op = MPI_OP_NULL;
    std::size_t round = 0;
    std::size_t message = 0;
    std::size_t local = 0;
  };

  /// Those of the last call.
  struct Sizes {
    std::int64_t input = -1;
    std::int64_t output = -1;
    std::shared_ptr<const Shares> shares{};
    std::shared_ptr<const Shares> sent{};
    std::vector<std::int64_t> told{};
  };

  Plan(kernels::Schedule schedule, CallTerms terms, Channel channel);
  void refit(const MpiCall& call, std::span<const std::int64_t> shares);
  /// Writes the program for the sizes in the terms.
  void write();
  [[nodiscard]] const BoundSchedule& bound(const Form& form);
  [[nodiscard]] Addresses addresses(const void* input, void* output) const;
  void begin_round();
  void end_round();
  void perform_next(int steps);

  /// Of an element that is reduced.
  [[nodiscard]] std::ptrdiff_t extent() const { return terms_.memory.scratch.layout.extent; }

  void exchange(const ProgramRound& round, const Message* messages, const Addresses& at);
  void post(const ProgramRound& round, const Message* messages, const Addresses& at);
  void wait(const ProgramRound& round);
  void perform(const LocalStep& step, const Addresses& at, MPI_Op op) const;
  void copy_typed(const Message& from, const Message& into, const Addresses& at) const;
  void reduce_by_library(const LocalStep& step, const Addresses& at, MPI_Op op) const;

  kernels::Schedule schedule_;
  CallTerms terms_;
  Sizes sizes_{};
  Channel channel_;
  int me_ = 0;  ///< in the channel
  /// By which buffers' elements the blocks cut: input, output. Null: not needed yet.
  std::array<std::unique_ptr<const BoundSchedule>, 4> bound_{};
  BlockMap map_{};
  Program program_{};
  std::ptrdiff_t scratch_begin_ = 0;     ///< of the scratch buffer in the arena, in bytes
  std::vector<MPI_Request> requests_{};  ///< room for the busiest round
  Started started_{};
};

}  // namespace breakeven::executor
