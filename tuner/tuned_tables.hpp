// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/formats/emitter.hpp"
#include "tables/provenance.hpp"
#include "tuner/cross_validation.hpp"
#include "tuner/make_table.hpp"
#include "tuner/reproducible.hpp"

namespace breakeven::tuner {

/// The tables for each kind of reader, of the same measurements; each is made when it is first
/// asked for.
class TunedTables {
 public:
  struct Made {
    tables::Table table{};
    std::vector<std::string> reproducible{};  ///< see lines_of(); empty unless asked for
    std::vector<Decision> decisions{};        ///< behind the table, unless it is reproducible
  };

  TunedTables(std::span<const Measurement> measurements, TableKey key,
              std::optional<SameBits> same_bits = {});

  /// @throws UsageError when there can be no such table of these measurements
  [[nodiscard]] const Made& of(tables::Candidates candidates);
  /// Makes all tables that there can be, on all cores.
  /// @throws UsageError when one can't be made
  void make_all();
  /// Whether any of the library's own algorithms was measured.
  [[nodiscard]] bool of_library() const { return of_library_; }
  /// Whether there are tables for programs: blocking calls were measured, or nothing of a library.
  [[nodiscard]] bool of_programs() const { return of_programs_; }
  /// The table with most candidates that there can be.
  [[nodiscard]] const tables::Table& widest();
  /// Of the tables of ours and of the library's own that were made.
  /// @pre not reproducible
  [[nodiscard]] std::vector<CrossValidation> cross_validated() const;
  /// The part of table.txt about reproducible choices and their cost.
  [[nodiscard]] std::string reproducible_text();

 private:
  [[nodiscard]] Made make(tables::Candidates candidates) const;

  std::span<const Measurement> measurements_;
  TableKey key_;
  std::optional<SameBits> same_bits_;
  bool of_library_;
  bool of_programs_;
  std::map<tables::Candidates, Made> made_{};
};

/// The measured algorithms that a table for the library may not choose, each with the reason.
/// @param allowed  as TableKey has them
/// @throws UsageError naming the algorithms that may be allowed when `allowed` has another one
[[nodiscard]] std::vector<std::string> unsafe_lines(std::span<const Measurement> measurements,
                                                    const libraries::AlgorithmNames& allowed);

/// A file of a table, or why there is none.
struct TableFile {
  const formats::Emitter* emitter = nullptr;
  std::optional<formats::FaultlessFile> emitted{};
  std::string reason{};
};

/// The files in these formats, and those from which `verify` writes others anew; without formats
/// all files that suit the machine, as far as they can be made.
/// @throws UsageError when a format that was asked for can't be written
/// @throws Error when one would be written with a fault
[[nodiscard]] std::vector<TableFile> table_files(std::span<const std::string> formats,
                                                 TunedTables& tables,
                                                 const tables::Provenance& provenance);

/// The answers of the files for the MPI library itself.
[[nodiscard]] std::vector<formats::ReadTable> library_answers(std::span<const TableFile> files);

/// The tables in words (see readable()): those of the files; without files, those that all programs
/// and the library have.
[[nodiscard]] std::string readable_text(TunedTables& tables, std::span<const TableFile> files,
                                        const tables::Provenance& provenance,
                                        std::string_view notes);

/// The share of the program's time that is in calls for which the table was measured, in a line.
/// @param file  of the profile
/// @throws UsageError when it is none.
[[nodiscard]] std::string covered_text(const std::string& file, const ProgramTime& time,
                                       const tables::Table& table);

}  // namespace breakeven::tuner
