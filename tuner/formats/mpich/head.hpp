// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/mpich/names.hpp"
#include "tuner/provenance.hpp"

namespace breakeven::formats::mpich {

/// The lines of a file's head comment: where the table comes from, how it is used, what it can't
/// say. None of them can end a comment of C or of a shell.
[[nodiscard]] std::vector<std::string> head_lines(const tuner::Table& table,
                                                  const tuner::Provenance& provenance,
                                                  std::string_view use,
                                                  const std::vector<std::string>& degraded);

/// @throws UsageError when the machine's library is no MPICH whose names are known here.
[[nodiscard]] Series series_of(const tuner::Provenance& provenance);

}  // namespace breakeven::formats::mpich
