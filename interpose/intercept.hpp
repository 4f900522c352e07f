// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <chrono>

#include "executor/element_type.hpp"
#include "executor/mpi_call.hpp"
#include "interpose/choices.hpp"
#include "interpose/native_algorithm.hpp"
#include "interpose/uses.hpp"

namespace breakeven::interpose {

/// As find_choices(); at once for communicators that this thread used lately.
[[nodiscard]] inline Choices* choices_of(MPI_Comm comm) noexcept {
  struct Recent {
    MPI_Comm comm = MPI_COMM_NULL;
    std::uint64_t freed = 0;
    Choices* choices = nullptr;
  };
  static thread_local constinit std::array<Recent, 8> recent{};
  const std::uint64_t freed = executor::freed_handles().load(std::memory_order_acquire);
  const auto bits = static_cast<std::uintptr_t>(api::bits_of(comm));
  Recent& last = recent[(bits ^ bits >> 6U) % recent.size()];
  // A communicator without choices is asked again: its end is not counted.
  if (last.comm != comm || last.freed != freed || last.choices == nullptr) {
    last = {comm, freed, find_choices(comm)};
  }
  return last.choices;
}

/// A collective of the program: by the choice for the communicator, else by the library.
/// @param call_of  makes the executor::MpiCall
/// @param native   calls the library
template <typename CallOf, typename Native>
int intercept(Collective collective, MPI_Comm comm, const CallOf& call_of, const Native& native) {
  Choices* const choices = choices_of(comm);
  if (choices == nullptr || choices->leaves(collective)) return native();
  executor::MpiCall call = call_of();
  keep_significant(call, choices->me());
  int error = MPI_SUCCESS;
  const api::KeptChoice* const kept = choices->choice_for(call, error);
  if (error != MPI_SUCCESS) return fail(error, comm);
  if (kept == nullptr) return native();
  tables::Amount* amount = kept->amount;
  const bool native_runs = kept->choice.variant.is<breakeven::Native>();
  const auto run = [&] {
    return kept->choice.by_library() ? kept->choice.run(call, native) : perform(kept->choice, call);
  };
  if (amount == nullptr) return run();
  const Observation observation{collective, comm};
  const auto begin = std::chrono::steady_clock::now();
  const int status = run();
  const auto end = std::chrono::steady_clock::now();
  const auto* const ran = observation.algorithm();
  if (ran != nullptr && native_runs) amount = &choices->amount_of(call, *amount, *ran);
  std::atomic_ref{amount->seconds} += std::chrono::duration<double>{end - begin}.count();
  if (choices->me() == 0) ++std::atomic_ref{amount->calls};
  if (const auto stride = choices->ordered_stride()) add_to_order(*amount, *stride, begin, end);
  return status;
}

}  // namespace breakeven::interpose
