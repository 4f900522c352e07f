// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "core/temporary_folder.hpp"

namespace breakeven::doctor::testing {

/// A folder that stands for "/", with made-up files below it; gone at the end of its scope.
class FakeRoot {
 public:
  /// @param files  their texts by their paths
  explicit FakeRoot(const std::map<std::string, std::string>& files) {
    for (const auto& [file, text] : files) write(file, text);
  }

  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((path() / file).parent_path());
    std::ofstream{path() / file} << text;
  }
  [[nodiscard]] std::filesystem::path path() const { return folder_.path(); }

 private:
  test::TemporaryFolder folder_;
};

}  // namespace breakeven::doctor::testing
