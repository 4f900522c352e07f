// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <chrono>

#include "executor/freed_handles.hpp"
#include "executor/mpi_call.hpp"
#include "interpose/choices.hpp"
#include "interpose/signature.hpp"

namespace breakeven::interpose {

/// Those of a communicator, made at its first call; null where there can be none. Not collective.
[[nodiscard]] Choices* find_choices(MPI_Comm comm) noexcept;

/// The same for communicators that this thread used lately, at once.
[[nodiscard]] inline Choices* choices_of(MPI_Comm comm) noexcept {
  struct Recent {
    MPI_Comm comm = MPI_COMM_NULL;
    std::uint64_t freed = 0;
    Choices* choices = nullptr;
  };
  static thread_local constinit std::array<Recent, 8> recent{};
  const std::uint64_t freed = executor::freed_handles().load(std::memory_order_acquire);
  const auto bits = static_cast<std::uintptr_t>(bits_of(comm));
  Recent& last = recent[(bits ^ bits >> 6U) % recent.size()];
  // A communicator without choices is asked again: its end is not counted.
  if (last.comm != comm || last.freed != freed || last.choices == nullptr) {
    last = {comm, freed, find_choices(comm)};
  }
  return last.choices;
}

/// How a call is performed: known from then on, if it can be. By the library also where it will
/// refuse the arguments.
/// @param comm  of the call
[[nodiscard]] Way find_way(const executor::MpiCall& call, const Signature& signature,
                           Choices& choices) noexcept;

/// Tells the communicator's error handler, which may throw.
int fail(int error, MPI_Comm comm);

/// Runs a plan for the program.
/// @return an error only after the communicator's error handler got it, which may throw
[[nodiscard]] int run_plan(executor::Plan& plan, const Arguments& arguments, MPI_Op op,
                           MPI_Comm comm);

/// The same by other collectives of the library.
/// @return an error after the communicator's error handler got it
[[nodiscard]] int run_composed(composed::ProgramCall& composed, const Arguments& arguments);

/// @param native  calls the library
template <typename Native>
int perform(const Way& way, const Arguments& arguments, MPI_Comm comm, bool first,
            const Native& native) {
  const auto run = [&] {
    if (way.error != MPI_SUCCESS) return fail(way.error, comm);
    if (way.plan != nullptr) return run_plan(*way.plan, arguments, way.op, comm);
    if (way.composed != nullptr) return run_composed(*way.composed, arguments);
    const forced::ForcedAlgorithm::Enforced enforced{way.forced};
    return native();
  };
  if (way.amount == nullptr) return run();
  Amount& amount = *way.amount;
  const auto begin = std::chrono::steady_clock::now();
  const int status = run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::atomic_ref{amount.seconds} += took.count();
  if (first) ++std::atomic_ref{amount.calls};
  return status;
}

/// A collective of the program: by a plan where one was chosen, else by the library.
/// @param call_of  makes the executor::MpiCall
/// @param native   calls the library
template <typename CallOf, typename Native, typename... Each>
int intercept(Collective collective, MPI_Comm comm, const CallOf& call_of, const Native& native,
              Each... each) {
  Choices* const choices = choices_of(comm);
  if (choices == nullptr || choices->leaves(collective)) return native();
  const Arguments arguments{collective, each...};
  const Choices::Known& known = choices->known(arguments.signature());
  const bool still = known.freed == executor::freed_handles();
  const Way way = still && known.signature == arguments.signature()
                      ? known.way
                      : find_way(call_of(), arguments.signature(), *choices);
  return perform(way, arguments, comm, choices->first(), native);
}

}  // namespace breakeven::interpose
