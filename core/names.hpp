// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/unknown.hpp"

namespace breakeven {

/// One word per value of an enumeration: the same in C++, SQL, on the command line and in plots.
template <typename Enum, std::size_t Size>
struct Names {
  struct Entry {
    Enum value;
    std::string_view name;
  };
  std::string_view kind;  ///< what the enumeration is called in a message, e.g. "collective"
  std::array<Entry, Size> entries;

  [[nodiscard]] constexpr std::string_view of(Enum value) const {
    return std::ranges::find(entries, value, &Entry::value)->name;
  }

  /// The value of this name, if there is one.
  [[nodiscard]] constexpr std::optional<Enum> find(std::string_view text) const {
    const auto found = std::ranges::find(entries, text, &Entry::name);
    if (found == entries.end()) return std::nullopt;
    return found->value;
  }

  /// @throws UsageError naming `text` and every known name.
  [[nodiscard]] Enum parse(std::string_view text) const {
    if (const std::optional<Enum> value = find(text)) return *value;
    std::vector<std::string_view> known;
    for (const Entry& entry : entries) known.push_back(entry.name);
    throw UsageError(unknown(kind, text, known));
  }
};

}  // namespace breakeven
