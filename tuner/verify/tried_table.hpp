// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tables/formats/emitter.hpp"
#include "tables/formats/own/json.hpp"
#include "tuner/verify/trial.hpp"
#include "tuner/verify/verification.hpp"

namespace breakeven::verify {

/// A table, read back from its file, with what it is to be tried on.
struct TriedTable {
  struct File {
    const formats::Emitter* emitter = nullptr;
    std::filesystem::path path{};
  };
  std::vector<File> files{};  ///< the first one is tried
  formats::KeptTable kept{};
  std::vector<TriedProblem> problems{};
  std::vector<std::string> environment{};  ///< of launches with it: "NAME=value"
  bool beside_default = true;              ///< see plan_of_trial

  [[nodiscard]] std::string name() const { return files.front().path.filename().string(); }
  /// Whether there is nothing to measure: it says native wherever it would be tried.
  [[nodiscard]] bool changes_nothing() const;
};

/// The tables that a user means by a path. A folder: the one for the MPI library, and the C++
/// header, as far as it has them. A file: that one alone, by whatever name for a header.
/// @throws UsageError where there are none, or when one has faults: FILE:LINE: reason; or when two
///         are of different machines.
[[nodiscard]] std::vector<TriedTable> find_tried_tables(const std::filesystem::path& path,
                                                        const Trial& trial);

/// Puts native where a table doesn't hold, in all tables of its folder that make the same choice,
/// and replaces their files, all at once, each saying why. A reproducible table keeps its choices
/// for collectives that reduce.
/// @param verifications  of the tables, in their order
/// @param trial          what the files shall call the measurements: see trial_text
/// @return a line for each rule that went back to the default; with none the files stay
std::vector<std::string> write_where_verified(const std::vector<TriedTable>& tables,
                                              const std::vector<Verification>& verifications,
                                              const std::string& trial);

}  // namespace breakeven::verify
