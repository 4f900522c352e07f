// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <optional>

#include "core/units.hpp"

namespace breakeven {

/// The schema version of the results database in a file; nothing when there is none: the file is
/// missing or its making was killed.
/// @throws UsageError naming the file when it is something that this program can't use.
[[nodiscard]] std::optional<int> version_at(const std::filesystem::path& file);

/// Opens a results database of the current version that must be there; the
/// connection can't change it. Each use waits for `patience` where another process has it locked.
/// @throws UsageError, SQLite::Exception as Store::Store says.
[[nodiscard]] SQLite::Database open_to_read(const std::filesystem::path& file, Seconds patience);

/// Opens a results database, made when there is none and brought to the current
/// version when it is older. That it can be written is tried now, not after
/// hours of measuring.
/// @throws UsageError, SQLite::Exception as Store::Store says.
[[nodiscard]] SQLite::Database open_to_write(const std::filesystem::path& file, Seconds patience);

}  // namespace breakeven
