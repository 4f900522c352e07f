// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>

#include "core/variant.hpp"
#include "executor/mpi_call.hpp"
#include "kernels/call.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::composed {

/// A mock-up's calls on the two buffers that its collective has out of place; a broadcast's vector
/// is `out`. Collective; throws MpiError naming the call that failed.
using Run = std::function<void(const std::byte* in, std::byte* out)>;

/// The work of a collective done by others of the library (mock_ups/mock_up.hpp), past their
/// replacements in a program. Memory between the calls is allocated and touched here.
/// @param type  of an element of the call
/// @throws UsageError when the collective has no such mock-up, or where MPI's int cannot count.
[[nodiscard]] Run compose(const Composed& mock_up, const kernels::CollectiveCall& call,
                          MPI_Datatype type, MPI_Op op, MPI_Comm comm);

/// Whether a call of a program can be done by the mock-up: the same on all ranks. Reductions only
/// where datatype and operation are MPI's.
[[nodiscard]] bool serves(const mock_ups::MockUp& mock_up, const executor::MpiCall& call);

/// A program's call done by a mock-up, on the buffers of the call or others that lie alike. Data
/// that is moved is moved as bytes, since ranks may describe it by other datatypes; it is copied
/// where it isn't contiguous, and in place. Not collective, unlike the result, which throws after
/// the communicator's error handler got the error.
/// @pre serves(mock_up, call), and api::is_valid
/// @throws UsageError on all ranks where MPI's int cannot count.
[[nodiscard]] Run program_call(const mock_ups::MockUp& mock_up, const executor::MpiCall& call);

}  // namespace breakeven::composed
