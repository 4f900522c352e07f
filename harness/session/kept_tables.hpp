// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace breakeven::session {

// A folder of tables that jobs make, verify and use, several of them perhaps at once.

/// The right to change a folder's tables, or to use them while nobody changes them. It ends with
/// this object or with the process; programs that it starts don't inherit it.
class TablesLock {
 public:
  enum class Kind : std::uint8_t { change, use };
  /// Nothing while another job has it.
  /// @throws Error where the folder can't be made, or its file system has no locks.
  [[nodiscard]] static std::optional<TablesLock> take(const std::filesystem::path& folder,
                                                      Kind kind);
  /// From a change to a use.
  void share();
  TablesLock(TablesLock&& other) noexcept;
  TablesLock& operator=(TablesLock&& other) noexcept;
  ~TablesLock();

 private:
  explicit TablesLock(int descriptor) : descriptor_{descriptor} {}
  int descriptor_;
};

/// The table for programs.
[[nodiscard]] std::filesystem::path table_in(const std::filesystem::path& folder);
/// Whether the folder's table for programs is the one that was trusted last.
[[nodiscard]] bool is_trusted(const std::filesystem::path& folder);
/// Its table is verified.
void trust(const std::filesystem::path& folder);
void distrust(const std::filesystem::path& folder);
/// The calls of a program took longer with the trusted table: it is neither used nor verified
/// again.
void refute(const std::filesystem::path& folder);
[[nodiscard]] bool is_refuted(const std::filesystem::path& folder);

}  // namespace breakeven::session
