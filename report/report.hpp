// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/launch.hpp"
#include "guidelines/evaluate.hpp"
#include "results/records.hpp"
#include "tables/profile.hpp"
#include "tuner/comparison.hpp"
#include "tuner/decision.hpp"

namespace breakeven::report {

/// A machine in a database, as the page shows it.
struct Subject {
  std::string database{};  ///< file
  Machine machine{};
  std::vector<tuner::Decision> decisions{};
  std::map<Case, std::string> unmeasured{};           ///< why a case has no time
  std::map<std::string, std::vector<int>> skipped{};  ///< "what: reason", at which p
  std::vector<std::string> sweeps{};                  ///< sweep files, TOML
  std::vector<results::StoredLaunch> launches{};
  std::string inspection{};      ///< "breakeven-doctor-1"; empty: the doctor did not look
  std::size_t measurements = 0;  ///< a case in a launch each
};

/// A file of a table, as `breakeven tune` writes it.
struct SettingsFile {
  std::string name{};       ///< of the file
  bool of_library = false;  ///< the machine's MPI library reads it
  std::string text{};
};

/// All that a page shows.
struct Contents {
  Subject subject{};
  std::optional<guidelines::Evaluation> evaluation{};
  std::optional<Subject> against{};
  std::string comparison{};                  ///< of both, in words; empty without `against`
  std::optional<tables::Profile> profile{};  ///< by whose time the subject's decisions were made
  std::vector<std::string> worth{};  ///< of a table inside the library, and of one with ours
  std::vector<SettingsFile> settings{};
  std::string no_settings{};  ///< why there are none
  std::string command{};      ///< that makes the page again
  std::string date{};         ///< ISO 8601
  std::string version{};      ///< of Breakeven
};

/// Whether this build has the library that the page draws with.
[[nodiscard]] bool available();

/// A page of HTML that needs no other file: maps and lists are there without JavaScript, answers to
/// a pointer or a key are not.
/// @pre available()
[[nodiscard]] std::string page(const Contents& contents);

}  // namespace breakeven::report
