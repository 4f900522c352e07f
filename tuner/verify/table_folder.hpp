// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

#include "tuner/tuned_tables.hpp"
#include "tuner/verify/with_default.hpp"

namespace breakeven::verify {

/// The names of files in a folder that `breakeven tune` writes, and that look as it writes them.
[[nodiscard]] std::set<std::string> table_files_in(const std::filesystem::path& folder);

/// Writes a table's files into a folder, all at once, in the place of an older table's, with a
/// module file where the MPI library loads some of them.
/// @param readable  the text of table.txt
/// @param asked     the formats were asked for: those that are missing need no line
/// @return a line for each file that was written, skipped or removed
[[nodiscard]] std::string write_tables(const std::filesystem::path& folder,
                                       const std::string& readable,
                                       std::span<const tuner::TableFile> files, bool asked,
                                       const tables::Provenance& provenance,
                                       const tables::Table& table);

/// Writes choices out of a table, with native in their place: of a folder of tables out of all of
/// its files that make them, at once (core/file_set.hpp); a header that lies elsewhere is alone.
/// @param file   that was tried
/// @param trial  what the files shall call the measurements
/// @throws UsageError where a file can't be read or written: then all stay as they are.
void write_without(const std::filesystem::path& file, std::span<const TakenBack> choices,
                   const std::string& trial);

}  // namespace breakeven::verify
