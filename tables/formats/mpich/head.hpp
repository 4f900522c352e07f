// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/formats/mpich/names.hpp"
#include "tables/provenance.hpp"

namespace breakeven::formats::mpich {

/// The lines of a file's head comment: where the table comes from, how it is used, what it can't
/// say. None of them can end a comment of C or of a shell.
[[nodiscard]] std::vector<std::string> head_lines(const tables::Table& table,
                                                  const tables::Provenance& provenance,
                                                  std::string_view use,
                                                  const std::vector<std::string>& degraded);

/// The fault of a file for a version whose names are not known here.
[[nodiscard]] std::optional<ReadTable::Fault> unknown_version(std::string_view text);

/// @throws UsageError when the machine's library is no MPICH whose names are known here.
[[nodiscard]] Series series_of(const tables::Provenance& provenance);

}  // namespace breakeven::formats::mpich
