// SPDX-License-Identifier: BSD-3-Clause
#include "core/file_set.hpp"

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/temporary_folder.hpp"

namespace breakeven {
namespace {

namespace fs = std::filesystem;

using Texts = std::map<std::string, std::string>;

const Texts kOld{{"a", "old"}, {"b", "old"}, {"c", "old"}};
const Texts kNew{{"a", "new"}, {"b", "new"}, {"below/d", "new"}};
const std::set<std::string> kNames{"a", "b", "c", "below/d"};

/// The texts as a reader sees them.
Texts texts_in(const fs::path& folder) {
  Texts texts;
  for (const std::string& name : kNames) {
    if (fs::exists(folder / name)) texts[name] = read_file(folder / name);
  }
  return texts;
}

void replace(const fs::path& folder, const Texts& texts) {
  FileSet set{folder};
  for (const auto& [name, text] : texts) {
    fs::create_directories((set.next() / name).parent_path());
    write_file(set.next() / name, text);
  }
  set.commit(kNames);
}

void write_plain(const fs::path& folder, const Texts& texts) {
  for (const auto& [name, text] : texts) write_file(folder / name, text);
}

TEST(FileSet, ReplacesAllOfItsFilesAndNoOthers) {
  const test::TemporaryFolder home;
  const fs::path folder = home / "made";
  replace(folder, kOld);
  EXPECT_EQ(texts_in(folder), kOld);
  write_file(folder / "mine", "mine");
  replace(folder, kNew);
  EXPECT_EQ(texts_in(folder), kNew);
  EXPECT_FALSE(fs::is_symlink(folder / "c"));
  EXPECT_EQ(read_file(folder / "mine"), "mine");
  fs::rename(folder, home / "moved");
  EXPECT_EQ(texts_in(home / "moved"), kNew);
}

TEST(FileSet, KeepsAFileThatIsTakenOver) {
  const test::TemporaryFolder folder;
  replace(folder.path(), kOld);
  FileSet set{folder.path()};
  set.keep("b");
  set.keep("missing");
  set.commit({});
  EXPECT_EQ(texts_in(folder.path()), (Texts{{"b", "old"}}));
}

TEST(FileSet, TakesInPlainFilesAlsoOfACopyThatFollowedTheLinks) {
  const test::TemporaryFolder home;
  replace(home / "set", kOld);
  fs::create_directory(home / "copy");
  write_plain(home / "copy", kOld);
  fs::copy(fs::canonical(home / "set/.current"), home / "copy/.current");
  replace(home / "copy", kNew);
  EXPECT_EQ(texts_in(home / "copy"), kNew);
}

TEST(FileSet, WithoutACommitNothingChanges) {
  const test::TemporaryFolder folder;
  replace(folder.path(), kOld);
  const std::ptrdiff_t entries = folder.entries();
  {
    const FileSet set{folder.path()};
    write_file(set.next() / "a", "new");
  }
  EXPECT_EQ(texts_in(folder.path()), kOld);
  EXPECT_EQ(folder.entries(), entries);
}

TEST(FileSet, AFolderThatCannotBeWrittenIsNamed) {
  try {
    const FileSet set{"/proc/tables"};
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string{error.what()}.find("'/proc/tables'"), std::string::npos);
  }
}

/// Replaces the files in a process that is killed at its n-th system call.
/// @return whether it came so far
bool killed_at_system_call(const fs::path& folder, int number) {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    replace(folder, kNew);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  for (int call = 0; call < number && WIFSTOPPED(status); ++call) {
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
  }
  if (!WIFSTOPPED(status)) return false;
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return true;
}

// At every 17th system call, from another one on in each run: at all of them it takes a minute.
TEST(FileSet, AKillAtAnySystemCallLeavesTheOldFilesOrTheNewOnes) {
  constexpr int kStep = 17;
  const int first = 1 + getpid() % kStep;
  for (const bool linked : {false, true}) {
    int kills = 0;
    int finished = 0;
    for (int number = first; finished == 0; number += kStep) {
      const test::TemporaryFolder folder;
      if (linked) replace(folder.path(), kOld);
      if (!linked) write_plain(folder.path(), kOld);
      if (killed_at_system_call(folder.path(), number)) {
        ++kills;
      } else {
        ++finished;
      }
      const Texts left = texts_in(folder.path());
      ASSERT_TRUE(left == kOld || left == kNew) << "linked " << linked << ", call " << number;
      replace(folder.path(), kNew);
      ASSERT_EQ(texts_in(folder.path()), kNew);
      ASSERT_LE(folder.entries(), 7) << "what was left behind stays";
    }
    EXPECT_GT(kills, 10) << "no kill fell into the replacement";
  }
}

}  // namespace
}  // namespace breakeven
