// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats {

/// The head of a table in words, one line each, "machine    mpich" and so on; no line has a
/// character that could end a comment or continue it on the next line.
[[nodiscard]] std::vector<std::string> describe(const tables::Table& table,
                                                const tables::Provenance& provenance);

/// The key of the line about a library that shares no memory between ranks of a node.
inline constexpr std::string_view kMemory = "memory";

/// The content of the lines of `describe`, but for the library's algorithms and the launches.
struct Description {
  tables::Provenance provenance{};
  Datatype datatype = Datatype::int_;
  Op op = Op::none;  ///< of the collectives that reduce, if there are any
  Rank root{};
};

/// Finds the lines in a text that has them, behind a comment's mark each.
/// @throws UsageError naming the line that is missing or can't be understood.
[[nodiscard]] Description read_description(std::string_view text);

}  // namespace breakeven::formats
