// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "core/case.hpp"

namespace breakeven {

/// into[i] = a[i] op b[i] for `count` elements. `into` may be exactly `a` or `b`; ranges that
/// overlap otherwise are not allowed. All are aligned for their type. Integer sums wrap.
using ReduceKernel = void (*)(const std::byte* a, const std::byte* b, std::byte* into,
                              std::size_t count);

/// Our own arithmetic, so that it is right where an MPI library's is not.
/// @throws UsageError when MPI does not define `op` on `datatype`.
[[nodiscard]] ReduceKernel reduce_kernel(Op op, Datatype datatype);

}  // namespace breakeven
