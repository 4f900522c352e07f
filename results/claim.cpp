// SPDX-License-Identifier: BSD-3-Clause
#include "results/claim.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "core/error.hpp"

namespace breakeven::results {

namespace {

constexpr off_t kByte = off_t{1} << 62;  // SQLite's own lie at 2^30; files end long before

/// Locks a byte of the file by one of fcntl()'s commands. Returns 0 or the cause of its failure.
int lock(int descriptor, int command, short kind, off_t byte) {
  struct flock lock{};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return fcntl(descriptor, command, &lock) == 0 ? 0 : errno;
}

bool held_by_another(int cause) { return cause == EAGAIN || cause == EACCES; }

[[noreturn]] void refuse(const std::filesystem::path& file, int cause) {
  const std::string words = std::system_category().message(cause);
  if (cause == ENOLCK || cause == ENOSYS || cause == EOPNOTSUPP) {
    throw UsageError(
        fmt::format("'{}': this file system has no locks ({}); put the database elsewhere",
                    file.string(), words));
  }
  throw UsageError(fmt::format("'{}' can't be locked: {}", file.string(), words));
}

}  // namespace

void require_locks(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;  // SQLite says why
  // A shared lock on a byte that nothing else locks is never refused for another program's.
  const int cause = lock(descriptor, F_SETLK, F_RDLCK, kByte + 1);
  close(descriptor);
  if (cause != 0 && !held_by_another(cause)) refuse(file, cause);
}

Claim::Claim(const std::filesystem::path& file)
    : descriptor_(open(file.c_str(), O_RDWR | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    throw Error(fmt::format("'{}' can't be opened: {}", file.string(),
                            std::system_category().message(errno)));
  }
  const int cause = lock(descriptor_, F_OFD_SETLK, F_WRLCK, kByte);
  if (cause == 0) return;
  close(descriptor_);
  if (!held_by_another(cause)) refuse(file, cause);
  throw UsageError(fmt::format(
      "another sweep is filling '{}'; one at a time, or each into a database of its own",
      file.string()));
}

Claim::~Claim() { close(descriptor_); }

}  // namespace breakeven::results
