// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

namespace breakeven::results {

/// Tries the locks of a file that is there, with which SQLite and claims keep programs apart.
/// SQLite itself waits for its whole patience where a file system has none. Like a claim, it must
/// be called while this process has no transaction open on the file.
/// @throws UsageError naming the file and the system's own words.
void require_locks(const std::filesystem::path& file);

/// The right to fill a results database, which one process has at a time: a lock on a byte of the
/// file that SQLite never touches. It ends with this object or with the process, however it dies;
/// programs that it starts don't inherit it, and readers don't see it.
///
/// The lock belongs to a descriptor of its own (F_OFD_SETLK). Closing that descriptor drops the
/// locks that SQLite holds on the file in this process, so a claim must be made and must end while
/// no transaction is open.
/// @see "How To Corrupt An SQLite Database File", section 2.2
class Claim {
 public:
  /// @throws UsageError naming the file when another process has the claim, or as require_locks();
  ///         Error when the file can't be opened.
  explicit Claim(const std::filesystem::path& file);
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  int descriptor_;
};

}  // namespace breakeven::results
