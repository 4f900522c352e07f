// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tuner/emit/emitted.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// The table as JSON of our own, complete: see tuner/table_json.hpp.
[[nodiscard]] Emitted json(const Table& table, const Provenance& provenance);

[[nodiscard]] ReadTable read_json(std::string_view text);

}  // namespace breakeven
