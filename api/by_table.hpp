// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/launch.hpp"
#include "core/mapping.hpp"
#include "executor/chosen_variant.hpp"
#include "executor/mpi_call.hpp"
#include "mock_ups/mock_up.hpp"
#include "tables/table.hpp"

namespace breakeven::api {

/// How calls are performed from a message size on.
struct SizeChoice {
  Bytes first{};
  executor::ChosenVariant variant{};  ///< without an algorithm: by the library
  std::string library{};  ///< then "mpich:ring", of its own, or empty where it chooses itself
  const mock_ups::MockUp* mock_up = nullptr;  ///< or by other collectives of it
};
/// Those of one collective, the smaller sizes first.
using SizeChoices = std::vector<SizeChoice>;

/// @param of_table  what a table was measured on
/// @throws UsageError naming both where that is another MPI library, version or processor.
void require_this_machine(const Machine& of_table);

/// What a table chooses on a communicator of this layout. Empty where everything is left to the
/// library: also a gatherv or scatterv for which a table chooses by size, because their ranks do
/// not know each other's sizes.
[[nodiscard]] SizeChoices choices_of(const tables::Table& table, Collective collective,
                                     const NodeLayout& layout);

/// What tables mean by the message's size: the mean block where counts differ; 0 where not all
/// ranks know it.
[[nodiscard]] Bytes message_of(const executor::MpiCall& call);

/// Whether the call can be performed so, on all ranks.
[[nodiscard]] bool serves(const SizeChoice& choice, const executor::MpiCall& call,
                          const NodeLayout& layout);

/// Null: the library chooses. The same on all ranks.
/// @param choices  of the call's collective
[[nodiscard]] const SizeChoice* choose(const SizeChoices& choices, const executor::MpiCall& call,
                                       const NodeLayout& layout);

}  // namespace breakeven::api
