// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
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
};

/// The head of a table in words, one line each, "machine    mpich" and so on; no line has a
/// character that could end a comment or continue it on the next line.
[[nodiscard]] std::vector<std::string> describe(const Table& table, const Provenance& provenance);

}  // namespace breakeven
