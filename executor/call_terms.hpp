// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "executor/mpi_call.hpp"
#include "executor/program.hpp"
#include "kernels/problem.hpp"

namespace breakeven::executor {

/// The terms that calls of a kind share: operation, datatypes and their layouts. Elements that are
/// reduced are the datatype's. Data that is only moved counts as bytes, in units that follow from
/// the bytes alone, because ranks may describe the same data by other datatypes.
///
/// @param problem  of this rank
/// @param comm     on which MPI returns errors
/// @throws UsageError when MPI does not define the operation on the datatype.
[[nodiscard]] CallTerms terms_of(const MpiCall& call, const kernels::Problem& problem,
                                 MPI_Comm comm);

/// Writes the counts and places of a call over those of the last one of its kind.
/// @param shares  the bytes of each process's share, where ranks were told them; empty: as far as
///                the call says
/// @throws UsageError when input and output do not agree on the bytes of a share.
void take_sizes(const MpiCall& call, std::span<const std::int64_t> shares, CallTerms& terms);

/// The bytes of data of each process's share, of irregular calls; else empty.
/// @param told  collective: the root tells its shares, else all but its own are 0 at other ranks
[[nodiscard]] std::vector<std::int64_t> shares_of(const MpiCall& call,
                                                  const kernels::Problem& problem, bool told);

}  // namespace breakeven::executor
