// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/formats/common/emitted.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"
#include "tuner/cross_validation.hpp"

namespace breakeven::tuner {

inline constexpr std::string_view kReadableName = "table.txt";

/// The tables that were made of the same measurements for different readers; null where there is
/// none.
struct ReadableTables {
  const tables::Table* library = nullptr;  ///< of the MPI library's own algorithms
  std::vector<std::string_view> library_files{};
  std::vector<formats::ReadTable> library_answers{};  ///< of these files
  const tables::Table* all = nullptr;                 ///< for preloaded programs
  const tables::Table* header = nullptr;              ///< for programs with the C++ header
};

/// The tables for people: fixed-width text of at most 104 columns (longer only where algorithms
/// with their parameters, or provenance, are). The provenance stands above; then come the
/// library's own algorithms and those that Breakeven adds, each with their worth; the
/// terms are explained below; notes are last.
/// @pre there is a library's table or that of all
[[nodiscard]] std::string readable(const ReadableTables& tables,
                                   const tables::Provenance& provenance, std::string_view notes);

/// The results where a p was held out, as notes; empty where none was.
[[nodiscard]] std::string between_measured(std::span<const tuner::CrossValidation> checked);

/// The notes of such a text.
[[nodiscard]] std::string notes_in(std::string_view text);

}  // namespace breakeven::tuner
