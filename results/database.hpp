// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

#include "core/units.hpp"

namespace breakeven {

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
