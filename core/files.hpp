// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace breakeven {

/// The whole text of a file.
/// @throws UsageError naming the file and the reason.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

/// Writes a file whole or not at all: into a temporary in the same folder, then renamed.
/// @throws UsageError naming the file and the reason; an older file of that name is untouched.
void write_file(const std::filesystem::path& file, std::string_view text);

/// The folder that this program runs from.
[[nodiscard]] std::filesystem::path programs_folder();

}  // namespace breakeven
