// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace breakeven {

/// Without blanks at its ends and with single ones inside.
[[nodiscard]] std::string single_spaced(const std::string& text);

/// The name of this host's first processor, single-spaced; nothing where the system has none.
/// @param root  of the file system
[[nodiscard]] std::optional<std::string> processor_name(const std::filesystem::path& root = "/");

}  // namespace breakeven
