// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/emitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "tuner/emit/cpp_header.hpp"

namespace breakeven {

std::span<const Emitter> emitters() {
  static constexpr std::array kEmitters{
      Emitter{.name = "cpp_header",
              .file_name = "breakeven_table.hpp",
              .candidates = Candidates::ours,
              .library = "",
              .emit = cpp_header,
              .read = nullptr},
  };
  return kEmitters;
}

const Emitter& find_emitter(std::string_view name) {
  const auto rows = emitters();
  const auto found = std::ranges::find(rows, name, &Emitter::name);
  if (found != rows.end()) return *found;
  std::string known;
  for (const Emitter& row : rows) known += fmt::format(" {}", row.name);
  throw UsageError(fmt::format("no table format '{}'; known:{}", name, known));
}

}  // namespace breakeven
