// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/launch.hpp"
#include "core/library_offer.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// Where a table comes from: stands in the head of every form of it.
struct Provenance {
  std::string database{};  ///< file name
  Machine machine{};
  LibraryOffer offer{};   ///< of the machine's library; empty when it was not asked
  std::string date{};     ///< of the table, ISO 8601
  std::string version{};  ///< of Breakeven
  std::string command{};  ///< that makes the table again
  /// What trying the table changed in it since, each time; empty while it is as it was made.
  std::string verified{};
  AlgorithmNames allowed_unsafe{};  ///< as TableKey has them
  /// Those that were measured but could not be chosen, with what they do, a line each.
  std::vector<std::string> left_out{};
};

/// The head of a table in words, one line each, "machine    mpich" and so on; no line has a
/// character that could end a comment or continue it on the next line.
[[nodiscard]] std::vector<std::string> describe(const Table& table, const Provenance& provenance);

/// What the lines of `describe` tell, but for the library's offer and the launches.
struct Description {
  Provenance provenance{};
  Datatype datatype = Datatype::int_;
  Op op = Op::none;  ///< of the collectives that reduce, if there are any
  Rank root{};
};

/// Finds the lines in a text that has them, behind a comment's mark each.
/// @throws UsageError naming the line that is missing or can't be understood.
[[nodiscard]] Description read_description(std::string_view text);

}  // namespace breakeven
