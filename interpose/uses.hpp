// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <chrono>
#include <string>

#include "executor/mpi_call.hpp"
#include "tables/profile.hpp"

namespace breakeven::interpose {

using tables::Amount;
using tables::Use;

/// @param layout   of the communicator
/// @param variant  that performs the call
[[nodiscard]] Use use_of(const executor::MpiCall& call, Bytes message, const NodeLayout& layout,
                         Variant variant);

/// The amount of all calls of this kind in this process, at a fixed address. Threads add to it at
/// once.
[[nodiscard]] Amount& amount_of_use(const Use& use);

/// Adds a call to the order of this process's calls. From one thread at a time.
/// @param amount  of its use, of amount_of_use()
/// @param stride  of the communicator: see tables::OrderedCall
void add_to_order(const Amount& amount, int stride, std::chrono::steady_clock::time_point begin,
                  std::chrono::steady_clock::time_point end);

/// Collective: rank 0 writes a tables::Profile of all ranks, which comes through a binomial tree.
/// @param folder  gets NODE.PID.json of rank 0, whole or not at all; an error is told in one line
/// @param world   all processes, without other messages
/// @param nodes   of the job
/// @param wall_s  since MPI_Init
void write_profile(const std::string& folder, MPI_Comm world, int nodes, double wall_s) noexcept;

}  // namespace breakeven::interpose
