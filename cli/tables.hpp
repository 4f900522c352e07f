// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/machine_options.hpp"
#include "tables/formats/emitter.hpp"

namespace breakeven::cli {

struct LintOptions {
  std::vector<std::string> files{};
  std::string machine{};
  launch::LauncherOptions launcher{};
};

/// The format of the text, or of the name, because a file that was cut may have lost its marks.
/// Null where no known format fits.
[[nodiscard]] const formats::Emitter* format_of(const std::string& file, std::string_view text);

/// A file, or those of a folder that are named as `tune` names its tables.
/// @throws UsageError when a folder has none.
[[nodiscard]] std::vector<std::string> files_at(const std::string& path);

/// Prints a file's advice, a line each.
void print_advice(const std::string& file, const formats::ReadTable& table);

/// Prints the faults of files.
int lint_tables(const LintOptions& options);

}  // namespace breakeven::cli
