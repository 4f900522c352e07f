// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

#include "tuner/verify/with_default.hpp"

namespace breakeven::verify {

/// The names of files in a folder that `breakeven tune` writes, and that look as it writes them.
[[nodiscard]] std::set<std::string> table_files_in(const std::filesystem::path& folder);

/// Writes choices out of a table, with native in their place: of a folder of tables out of all of
/// its files that make them, at once (core/file_set.hpp); a header that lies elsewhere is alone.
/// @param file   that was tried
/// @param trial  what the files shall call the measurements
/// @throws UsageError where a file can't be read or written: then all stay as they are.
void write_without(const std::filesystem::path& file, std::span<const TakenBack> choices,
                   const std::string& trial);

}  // namespace breakeven::verify
