// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// The table for people: fixed-width text of at most 100 columns (longer only where parameters or
/// provenance are), with its provenance above and its words explained below.
[[nodiscard]] std::string readable(const Table& table, const Provenance& provenance);

}  // namespace breakeven
