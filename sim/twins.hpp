// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "kernels/algorithm.hpp"
#include "kernels/exchange.hpp"

namespace breakeven::sim {

/// A round that all ranks have alike.
struct AlikeRound {
  using Place = std::pair<int, int>;  ///< of a message: its round, and its number among the sends
  std::vector<int> sent{};            ///< blocks of each send
  std::vector<int> partners{};        ///< the receiver of each send, relative to the rank
  std::vector<Place> received{};      ///< where its receives are sent, in this order
  std::vector<int> reduced{};         ///< blocks of each reduction
  friend bool operator==(const AlikeRound&, const AlikeRound&) = default;
};

/// An algorithm whose ranks all do the same relative to themselves.
struct Alike {
  int blocks = 1;
  std::vector<AlikeRound> rounds{};
  bool bits = false;  ///< relative: by the bits that differ; else by how far ahead a partner is
  friend bool operator==(const Alike&, const Alike&) = default;
};

/// Derived from the schedules of the first 16 ranks and of 16 from the first to the last; of fewer
/// where schedules are long. No rank of the catalogue's algorithms differs from all of these: tests
/// compare the times with those of all ranks at every p up to 40, and up to 64.
/// @return nothing where ranks differ
[[nodiscard]] std::optional<Alike> alike_of(const kernels::Algorithm& algorithm,
                                            const kernels::Problem& problem);

/// Two ranks that stand for all: where every rank sends and receives as much in the same rounds,
/// from the same places in its partners' rounds, ranks that begin together stay alike, and two that
/// have only each other as partners take as long as any number of them. This holds for rings,
/// dissemination, circulant graphs, exchanges of powers of two, and factored stages.
///
/// Derived as in alike_of(); where partners don't lie alike, from their schedules too.
///
/// All blocks count as equally long, and where ranks lie has to be the same to the machine.
/// @return nothing where ranks differ, or where a rank has more than 131,072 messages
[[nodiscard]] std::optional<kernels::Exchange> twins_of(const kernels::Algorithm& algorithm,
                                                        const kernels::Problem& problem);

}  // namespace breakeven::sim
