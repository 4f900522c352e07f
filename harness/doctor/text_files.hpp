// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace breakeven::doctor {

/// The first line of a file of /proc or /sys, without blanks at its end; nothing when it can't be
/// read.
[[nodiscard]] std::optional<std::string> first_line(const std::filesystem::path& file);

/// The whole number on the first line of a file.
[[nodiscard]] std::optional<std::int64_t> whole_number(const std::filesystem::path& file);

/// The lines "key: value" of a file, of equal keys the first; empty when it can't be read.
[[nodiscard]] std::map<std::string, std::string> key_values(const std::filesystem::path& file);

/// The word in brackets of "always [madvise] never": the kernel marks its present choice so.
[[nodiscard]] std::optional<std::string> chosen_word(const std::filesystem::path& file);

}  // namespace breakeven::doctor
