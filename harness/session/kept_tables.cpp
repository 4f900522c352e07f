// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/kept_tables.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "core/files.hpp"

namespace breakeven::session {

namespace {

namespace fs = std::filesystem;

/// Returns 0 or the cause of its failure.
int lock(int descriptor, TablesLock::Kind kind) {
  struct flock lock{};
  lock.l_type = kind == TablesLock::Kind::change ? F_WRLCK : F_RDLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

/// A copy: times of files say little after a folder was copied.
fs::path trusted_in(const fs::path& folder) { return folder / ".trusted.json"; }
fs::path refuted_in(const fs::path& folder) { return folder / ".refuted.json"; }

bool is_table_of(const fs::path& folder, const fs::path& copy) {
  return fs::exists(table_in(folder)) && fs::exists(copy) &&
         read_file(table_in(folder)) == read_file(copy);
}

}  // namespace

std::optional<TablesLock> TablesLock::take(const fs::path& folder, Kind kind) {
  fs::create_directories(folder);
  const fs::path file = folder / ".lock";
  TablesLock taken{open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
  const int cause = taken.descriptor_ < 0 ? errno : lock(taken.descriptor_, kind);
  if (cause == 0) return taken;
  if (cause == EAGAIN) return std::nullopt;
  throw Error(fmt::format("can't lock {}: {}", file.string(), std::strerror(cause)));
}

void TablesLock::share() { static_cast<void>(lock(descriptor_, Kind::use)); }

TablesLock::TablesLock(TablesLock&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, -1)} {}

TablesLock& TablesLock::operator=(TablesLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

TablesLock::~TablesLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

fs::path table_in(const fs::path& folder) { return folder / "table.json"; }

bool is_trusted(const fs::path& folder) { return is_table_of(folder, trusted_in(folder)); }

void trust(const fs::path& folder) { write_file(trusted_in(folder), read_file(table_in(folder))); }

void distrust(const fs::path& folder) { fs::remove(trusted_in(folder)); }

void refute(const fs::path& folder) {
  if (fs::exists(trusted_in(folder))) fs::rename(trusted_in(folder), refuted_in(folder));
}

bool is_refuted(const fs::path& folder) { return is_table_of(folder, refuted_in(folder)); }

}  // namespace breakeven::session
