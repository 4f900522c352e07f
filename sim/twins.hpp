// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "kernels/algorithm.hpp"
#include "kernels/exchange.hpp"

namespace breakeven::sim {

/// Two ranks that stand for all: where every rank sends and receives as much in the same rounds,
/// from the same places in its partners' rounds, ranks that begin together stay alike, and two that
/// have only each other as partners take as long as any number of them. This holds for rings,
/// dissemination, circulant graphs, exchanges of powers of two, and factored stages.
///
/// Derived from the schedules of the first 16 ranks and of 16 from the first to the last; of fewer
/// where schedules are long. No rank of the catalogue's algorithms differs from all of these: a
/// test compares the times with those of all ranks at every p up to 40.
///
/// All blocks count as equally long, and where ranks lie has to be the same to the machine.
/// @return nothing where ranks differ, or where a rank has more than 131,072 messages
[[nodiscard]] std::optional<kernels::Exchange> twins_of(const kernels::Algorithm& algorithm,
                                                        const kernels::Problem& problem);

}  // namespace breakeven::sim
