// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace breakeven::testing {

/// A folder that stands for "/", with made-up files below it; gone at the end of its scope.
class FakeRoot {
 public:
  /// @param files  their texts by their paths
  explicit FakeRoot(const std::map<std::string, std::string>& files)
      : path_{::testing::TempDir() + "breakeven_root_XXXXXX"} {
    if (mkdtemp(path_.data()) == nullptr) throw std::filesystem::filesystem_error(path_, {});
    for (const auto& [file, text] : files) write(file, text);
  }
  ~FakeRoot() { std::filesystem::remove_all(path_); }
  FakeRoot(const FakeRoot&) = delete;
  FakeRoot& operator=(const FakeRoot&) = delete;

  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((path() / file).parent_path());
    std::ofstream{path() / file} << text;
  }
  [[nodiscard]] std::filesystem::path path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace breakeven::testing
