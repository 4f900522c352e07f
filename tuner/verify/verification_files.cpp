// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/verification_files.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace breakeven::verify {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDatabase = ".db";

fs::path folder_of(const fs::path& tables) {
  if (fs::is_directory(tables)) return tables;
  return tables.has_parent_path() ? tables.parent_path() : ".";
}

}  // namespace

fs::path new_verification(const fs::path& tables) {
  return folder_of(tables) /
         fmt::format("verify-{:%Y%m%dT%H%M%S}{}", fmt::gmtime(std::time(nullptr)), kDatabase);
}

std::string trial_text(const fs::path& database) {
  return fmt::format("{:%Y-%m-%d}, {}", fmt::gmtime(std::time(nullptr)),
                     database.filename().string());
}

fs::path verification_file(fs::path database) { return database.replace_extension(".csv"); }

std::vector<fs::path> verifications(const fs::path& tables) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator{folder_of(tables)}) {
    const fs::path& file = entry.path();
    const bool hidden = file.filename().string().starts_with('.');  // a job's, not finished
    if (!hidden && file.extension() == kDatabase) found.push_back(file);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace breakeven::verify
