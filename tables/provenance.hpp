// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/launch.hpp"
#include "core/library_capabilities.hpp"
#include "tables/table.hpp"

namespace breakeven::tables {

/// Where a table comes from: stands in the head of every form of it.
struct Provenance {
  std::string database{};  ///< file name
  Machine machine{};
  LibraryCapabilities capabilities{};  ///< of the machine's library; empty when it was not asked
  std::string date{};                  ///< of the table, ISO 8601
  std::string version{};               ///< of Breakeven
  std::string command{};               ///< that makes the table again
  /// The changes by verifications of the table, a line each; empty while it is as it was made.
  std::vector<std::string> verified{};
  /// Of a reproducible table: its choices for collectives that reduce; else empty.
  std::string reproducible{};
  libraries::AlgorithmNames allowed_unsafe{};  ///< as TableKey has them
  /// Algorithms that were measured but can't be chosen, with the harm that they do, a line each.
  std::vector<std::string> skipped{};
};

}  // namespace breakeven::tables
