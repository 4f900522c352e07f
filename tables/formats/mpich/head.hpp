// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// @throws UsageError when the machine's library is no MPICH whose names are known here.
[[nodiscard]] Series series_of(const tables::Provenance& provenance);

}  // namespace breakeven::formats::mpich
