// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "executor/chosen_variant.hpp"
#include "executor/comm_plans.hpp"
#include "executor/mpi_call.hpp"

namespace breakeven::executor {

/// Makes `key` the words that tell the schedule: collective, algorithm, parameters, placement,
/// root.
void start_key(PlanKey& key, const ChosenVariant& choice, const MpiCall& call);

/// Appends what else a plan depends on: the operation, datatypes, counts and displacements, and the
/// sizes of shares.
void finish_key(PlanKey& key, const MpiCall& call, std::span<const std::int64_t> shares);

}  // namespace breakeven::executor
