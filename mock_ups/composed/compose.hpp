// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>

#include "core/variant.hpp"
#include "kernels/call.hpp"

namespace breakeven::composed {

/// A mock-up's calls on two buffers, as its collective has them where it isn't in place; a
/// broadcast's vector is `out`. Collective; throws MpiError naming the call that failed.
using Run = std::function<void(const std::byte* in, std::byte* out)>;

/// The work of a collective done by others of the library (mock_ups/mock_up.hpp), past what
/// replaces them in a program. What it keeps in between is allocated and touched here.
/// @param type  of an element of the call
/// @throws UsageError when the collective has no such mock-up, or where MPI's int cannot count.
[[nodiscard]] Run compose(const Composed& mock_up, const kernels::CollectiveCall& call,
                          MPI_Datatype type, MPI_Op op, MPI_Comm comm);

}  // namespace breakeven::composed
