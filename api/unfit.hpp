// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "core/case.hpp"
#include "core/mapping.hpp"
#include "executor/mpi_call.hpp"

namespace breakeven::api {

/// Whether no library refuses the arguments of a call. Others are left to the library, so that the
/// program gets the error that it would get without us.
/// @param procs, me  of the call's communicator
[[nodiscard]] bool is_valid(const executor::MpiCall& call, int procs, int me);

/// A call as one of the library's own algorithms would perform it.
/// @param choice  of such an algorithm
/// @param call    valid
[[nodiscard]] Case library_case(const Variant& choice, const executor::MpiCall& call,
                                const NodeLayout& layout);

/// Why a choice may not perform the call; nothing when it may, on all ranks. One of ours may not
/// change the order of operands where the operation needs it. One of the library's may not where it
/// would not run as it is named, or asks more of calls than MPI does, in a property that differs
/// here or may differ on another rank.
/// @param call  valid
/// @throws UsageError when an algorithm or a parameter is unknown or can't be understood.
[[nodiscard]] std::optional<std::string> unfit(const Variant& choice, const executor::MpiCall& call,
                                               const NodeLayout& layout);

}  // namespace breakeven::api
