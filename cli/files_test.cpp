// SPDX-License-Identifier: BSD-3-Clause
#include "cli/files.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace breakeven {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() : folder_{fs::path{testing::TempDir()} / "breakeven_files_test"} {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Files() override { fs::remove_all(folder_); }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator{folder_}, fs::directory_iterator{}));
  }
  fs::path folder_;
};

TEST_F(Files, AreWrittenWholeAndLeaveNothingElse) {
  write_file(folder_ / "a.txt", "first");
  write_file(folder_ / "a.txt", "second");
  EXPECT_EQ(read_file(folder_ / "a.txt"), "second");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, ThatCanNotBeWrittenAreRefusedByNameAndLeaveNothing) {
  fs::create_directories(folder_ / "taken" / "full");
  for (const fs::path& file : {folder_ / "missing" / "a.txt", folder_ / "taken"}) {
    try {
      write_file(file, "text");
      FAIL() << "wrote " << file;
    } catch (const UsageError& error) {
      EXPECT_TRUE(std::string{error.what()}.starts_with("can't write '" + file.string() + "': "))
          << error.what();
    }
  }
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, ThatCanNotBeReadAreRefusedByName) {
  EXPECT_THROW(static_cast<void>(read_file(folder_ / "missing")), UsageError);
  try {
    static_cast<void>(read_file(folder_));
    FAIL() << "read a folder";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.what(), "can't read '" + folder_.string() + "': Is a directory");
  }
}

}  // namespace
}  // namespace breakeven
