// SPDX-License-Identifier: BSD-3-Clause
#include "results/claim.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace breakeven::results {

namespace {

constexpr off_t kByte = off_t{1} << 62;  // SQLite's own lie at 2^30; files end long before

}  // namespace

Claim::Claim(const std::filesystem::path& file)
    : descriptor_(open(file.c_str(), O_RDWR | O_CLOEXEC)) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kByte;
  lock.l_len = 1;
  if (descriptor_ >= 0 && fcntl(descriptor_, F_OFD_SETLK, &lock) == 0) return;
  const int cause = errno;
  if (descriptor_ >= 0) close(descriptor_);
  if (cause == EAGAIN || cause == EACCES) {
    throw UsageError(fmt::format(
        "another sweep is filling '{}'; one at a time, or each into a database of its own",
        file.string()));
  }
  throw Error(fmt::format("'{}' can't be claimed for this sweep: {}", file.string(),
                          std::system_category().message(cause)));
}

Claim::~Claim() { close(descriptor_); }

}  // namespace breakeven::results
