// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

namespace breakeven::verify {

// A verification keeps what it measured in a database of its own, dated, beside the table that it
// tries, and what it found in a file beside that: another day's is another one, as the table may
// have changed in between.

/// A database for a verification that begins now.
/// @param tables  a folder of tables, or one of them
[[nodiscard]] std::filesystem::path new_verification(const std::filesystem::path& tables);

/// What a verification that came to its end has found, for programs.
[[nodiscard]] std::filesystem::path verification_file(std::filesystem::path database);

/// The databases beside a table, the oldest first.
[[nodiscard]] std::vector<std::filesystem::path> verifications(const std::filesystem::path& tables);

}  // namespace breakeven::verify
