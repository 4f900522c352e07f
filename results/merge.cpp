// SPDX-License-Identifier: BSD-3-Clause
#include "results/merge.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "results/claim.hpp"
#include "results/database.hpp"
#include "results/store.hpp"

namespace breakeven::results {

namespace fs = std::filesystem;

namespace {

/// A folder next to a file, so that a database made there can be renamed to it; removed at the end.
class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& file)
      : path_(fmt::format("{}.{}.merge", file.string(), getpid())) {
    std::error_code failure;
    fs::create_directory(path_, failure);
    if (!failure) return;
    throw UsageError(fmt::format("'{}' can't be made: {}", file.string(), failure.message()));
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// SQLite's own copy, because the half-done change of a killed writer belongs to the file.
void copy_database(const fs::path& from, const fs::path& to) {
  SQLite::Database(from.string(), SQLite::OPEN_READWRITE,
                   static_cast<int>(Store::kPatience.value * 1000))
      .backup(to.c_str(), SQLite::Database::Save);
}

/// Failures of SQLite name the file.
auto naming(const fs::path& file, auto body) {
  try {
    return body();
  } catch (const SQLite::Exception& error) {
    throw Error(fmt::format("'{}': {}", file.string(), error.what()));
  }
}

void refuse_itself(const fs::path& out, const fs::path& in) {
  std::error_code ignored;
  if (!fs::equivalent(out, in, ignored)) return;
  throw UsageError(
      fmt::format("'{}' can't be merged into itself; it keeps what it holds", in.string()));
}

}  // namespace

MergeSummary merge_databases(const fs::path& out, std::span<const fs::path> in) {
  const bool there = has_results(out);
  std::optional<Claim> claim;
  if (there) claim.emplace(out);
  for (const fs::path& file : in) refuse_itself(out, file);
  const WorkFolder work{out};
  const fs::path merged = work / "merged.db";
  if (there) naming(out, [&] { copy_database(out, merged); });
  MergeSummary sum;
  {
    SQLite::Database database = open_to_write(merged, Store::kPatience);
    for (const fs::path& file : in) {
      naming(file, [&] {
        static_cast<void>(open_to_read(file, Store::kPatience));  // refuses what is none
        const MergeSummary each = merge_tables(database, file);
        sum.added += each.added;
        sum.known += each.known;
        sum.renumbered += each.renumbered;
        sum.skipped += each.skipped;
      });
    }
  }
  std::error_code failure;
  fs::rename(merged, out, failure);
  if (failure) {
    throw UsageError(fmt::format("'{}' can't be written: {}", out.string(), failure.message()));
  }
  return sum;
}

}  // namespace breakeven::results
