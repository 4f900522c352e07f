// SPDX-License-Identifier: BSD-3-Clause
#include "core/files.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/temporary_folder.hpp"

namespace breakeven {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
};

TEST_F(Files, AreWrittenWholeAndLeaveNothingElse) {
  write_file(folder_ / "a.txt", "first");
  write_file(folder_ / "a.txt", "second");
  EXPECT_EQ(read_file(folder_ / "a.txt"), "second");
  EXPECT_EQ(folder_.entries(), 1);
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
  EXPECT_EQ(folder_.entries(), 1);
}

TEST_F(Files, ThatAreEmptyAreRead) {
  write_file(folder_ / "empty", "");
  EXPECT_EQ(read_file(folder_ / "empty"), "");
}

TEST_F(Files, ThatCanNotBeReadAreRefusedByName) {
  EXPECT_THROW(static_cast<void>(read_file(folder_ / "missing")), UsageError);
  try {
    static_cast<void>(read_file(folder_.path()));
    FAIL() << "read a folder";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.what(), "can't read '" + folder_.path().string() + "': Is a directory");
  }
}

}  // namespace
}  // namespace breakeven
