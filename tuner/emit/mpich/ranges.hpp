// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "tuner/emit/size_choices.hpp"
#include "tuner/table.hpp"

namespace breakeven::mpich {

/// What a table says of one number of processes.
struct ProcsChoices {
  int procs = 1;
  std::vector<SizeChoice> sizes{};  ///< from 0 bytes on
};

/// Every answer of Table::choose for a collective under a mapping: an entry for each p between the
/// least and the greatest measured; what lies outside is native. Empty where nothing but native is
/// chosen.
[[nodiscard]] std::vector<ProcsChoices> choices_of(const Table& table, Collective collective,
                                                   const Mapping& mapping);

}  // namespace breakeven::mpich
