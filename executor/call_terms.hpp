// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "executor/memory.hpp"
#include "executor/mpi_call.hpp"
#include "executor/program.hpp"
#include "kernels/call.hpp"

namespace breakeven::executor {

/// An MPI call in the terms of binding and plans.
struct CallTerms {
  kernels::CollectiveCall call{};
  Memory memory{};
  Elements elements{};
};

/// Elements that are reduced are the datatype's. What is only moved counts as bytes, in units that
/// follow from the bytes alone, because ranks may name the same data by different datatypes.
///
/// @param problem  of this rank
/// @param shares   the bytes of each process's share, of all that the schedule asks about; empty
///                 where shares are equal
/// @param comm     on which MPI returns errors
/// @throws UsageError when MPI does not define the operation on the datatype, or when input and
///         output do not agree on the bytes of a share.
[[nodiscard]] CallTerms terms_of(const MpiCall& call, const kernels::Problem& problem,
                                 std::span<const std::int64_t> shares, MPI_Comm comm);

}  // namespace breakeven::executor
