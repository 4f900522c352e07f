// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace breakeven::verify {

// A verification keeps its measurements in a dated database next to the table that it tries, and
// its results in a file next to that: each day has its own, as the table may have changed in
// between.

/// A database for a verification that begins now.
/// @param tables  a folder of tables, or one of them
[[nodiscard]] std::filesystem::path new_verification(const std::filesystem::path& tables);

/// "2026-11-28, verify-20261128T120000.db": what a table's files call a verification of today.
[[nodiscard]] std::string trial_text(const std::filesystem::path& database);

/// The results of a finished verification, for programs.
[[nodiscard]] std::filesystem::path verification_file(std::filesystem::path database);

/// The databases next to a table, the oldest first.
[[nodiscard]] std::vector<std::filesystem::path> verifications(const std::filesystem::path& tables);

}  // namespace breakeven::verify
