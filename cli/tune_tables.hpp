// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/machine_options.hpp"
#include "tables/formats/emitter.hpp"
#include "tuner/cross_validation.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::cli {

/// The table for each kind of reader, made when it is first asked for.
class TunedTables {
 public:
  struct Made {
    tables::Table table{};
    std::vector<std::string> reproducible{};  ///< see tuner::lines_of; empty unless asked for
    std::vector<tuner::Decision>
        decisions{};  ///< of which the table was made, unless that is asked
  };

  TunedTables(std::span<const Measurement> measurements, tuner::TableKey key, bool reproducible)
      : measurements_{measurements}, key_{std::move(key)}, reproducible_{reproducible} {}

  /// @throws UsageError when there can be no such table of these measurements
  [[nodiscard]] const Made& of(tables::Candidates candidates);
  /// Makes all tables that there can be, on all cores.
  /// @throws UsageError when one can't be made
  void make_all();
  /// Of the tables of ours and of the library's own that were made.
  /// @pre not reproducible
  [[nodiscard]] std::vector<tuner::CrossValidation> cross_validated() const;

 private:
  [[nodiscard]] Made make(tables::Candidates candidates) const;

  std::span<const Measurement> measurements_;
  tuner::TableKey key_;
  bool reproducible_;
  std::map<tables::Candidates, Made> made_{};
};

/// Whether any of the library's own algorithms was measured.
[[nodiscard]] bool any_of_library(std::span<const Measurement> measurements);

/// @param command  that makes the table again
/// @param allowed  as tuner::TableKey has them
/// @throws UsageError naming those that may be allowed when `allowed` has another one
[[nodiscard]] tables::Provenance provenance_of(const Selection& from, const std::string& database,
                                               const std::string& command,
                                               std::span<const Measurement> measurements,
                                               const libraries::AlgorithmNames& allowed);

/// A file of a table, or why there is none.
struct TableFile {
  const formats::Emitter* emitter = nullptr;
  std::optional<formats::FaultlessFile> emitted{};
  std::string reason{};
};

/// Those of the formats, and those from which others can be written anew; or, if there are none,
/// those that a machine of this name can have: of these what can be written.
/// @throws UsageError when a format that was asked for can't be written
/// @throws Error when one would be written with a fault
[[nodiscard]] std::vector<TableFile> table_files(std::span<const std::string> formats,
                                                 TunedTables& tables,
                                                 std::span<const Measurement> measurements,
                                                 const tables::Provenance& provenance);

/// What the files for the MPI library itself say.
[[nodiscard]] std::vector<formats::ReadTable> library_answers(std::span<const TableFile> files);

/// The tables in words, for which there is a file or none is written.
/// @param notes  at its end
[[nodiscard]] std::string readable_text(TunedTables& tables, std::span<const TableFile> files,
                                        const tables::Provenance& provenance, bool of_library,
                                        std::string_view notes);

/// The part of table.txt about what is reproducible and what that costs.
[[nodiscard]] std::string reproducible_text(TunedTables& tables, bool of_library);

/// How much of the program's time is in calls for which the table was measured, in a line.
/// @throws UsageError when it is none.
[[nodiscard]] std::string covered_text(const std::string& file, const ProgramTime& time,
                                       const tables::Table& table);

/// Writes a module file in Tcl, which Environment Modules and Lmod read, into
/// modulefiles/breakeven-tables/ of a table's folder: the MPI library then loads the files of that
/// folder, wherever it has been moved. "openmpi-4.1.4" is its name there.
/// @param several_nodes  of the table
/// @return the file's path
/// @throws UsageError when the folder has no table that the machine's library loads
std::filesystem::path write_module_file(const std::filesystem::path& folder,
                                        const tables::Provenance& provenance, bool several_nodes);

}  // namespace breakeven::cli
