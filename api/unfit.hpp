// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/case.hpp"
#include "core/mapping.hpp"
#include "executor/mpi_call.hpp"

namespace breakeven::api {

/// A call as one of the library's own algorithms would perform it.
/// @param algorithm  "mpich:ring", "mpich:tree:radix=4"
/// @param call       valid
[[nodiscard]] Case library_case(std::string_view algorithm, const executor::MpiCall& call,
                                const NodeLayout& layout);

/// Why the library's own algorithm may not perform the call: it would not run as it is named, or
/// asks more of calls than MPI does, in what differs here or may differ on another rank. Nothing
/// when it may, on all ranks.
/// @param what  as library_case has it
/// @throws UsageError when a parameter is none of the algorithm's or can't be understood.
[[nodiscard]] std::optional<std::string> unfit(const Case& what, const executor::MpiCall& call);

}  // namespace breakeven::api
