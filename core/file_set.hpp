// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace breakeven {

/// The next state of files in one folder that belong together. Readers see all of them as they were
/// or all as they will be, whenever the writer ends: each is a symbolic link through one link,
/// ".current", to a hidden folder with the files, and renaming that one link replaces them all.
/// That is atomic on network file systems too. Other files of the folder are untouched. The state
/// before is kept, for readers whose file system still shows it.
class FileSet {
 public:
  /// @param folder  made if it is not there
  /// @throws UsageError naming the folder and the reason, as does `commit`.
  explicit FileSet(std::filesystem::path folder);
  ~FileSet();
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;

  /// The folder to write the files into, empty at first.
  [[nodiscard]] const std::filesystem::path& next() const { return next_; }
  /// Takes a file over as it is; nothing where it is not there.
  void keep(const std::string& name);

  /// Replaces the files.
  /// @param gone  others that belong to the set and shall not stay
  void commit(std::set<std::string> gone);

 private:
  [[nodiscard]] bool linked(const std::string& name) const;
  void link(const std::string& name) const;
  void put_link(const std::filesystem::path& target, const std::string& name) const;
  void switch_to(const std::filesystem::path& state) const;
  void take_in(const std::set<std::string>& names);
  void remove_others(const std::filesystem::path& before) const;

  std::filesystem::path folder_;
  std::filesystem::path next_;
};

/// The files of a set, in a folder that FileSet wrote; none in another one.
[[nodiscard]] std::set<std::string> files_of_set(const std::filesystem::path& folder);

}  // namespace breakeven
