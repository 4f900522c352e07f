// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// One form of a table that a program reads; the form for people is tuner/readable.hpp.
struct Emitter {
  std::string_view name;
  std::string_view file_name;  ///< what the file is called unless the user says otherwise
  std::string (*text)(const Table& table, const Provenance& provenance);
};

/// All of them, in the order in which they are documented.
[[nodiscard]] std::span<const Emitter> emitters();

/// @throws UsageError naming the known emitters when `name` is not one of them.
[[nodiscard]] const Emitter& find_emitter(std::string_view name);

}  // namespace breakeven
