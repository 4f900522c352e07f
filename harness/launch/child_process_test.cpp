// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/child_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>

#include "core/error.hpp"

namespace breakeven::launch {
namespace {

constexpr Seconds kLong{20};

ChildProcess::Command shell(const std::string& script) {
  return {.arguments = {"/bin/sh", "-c", script}, .environment = {}};
}

/// Whether the process ends within a few seconds.
bool ends(pid_t pid) {
  for (int i = 0; i < 200; ++i) {
    if (::kill(pid, 0) != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  return false;
}

TEST(ChildProcess, PassesInputInAndLinesOut) {
  ChildProcess child{shell("while read line; do echo \"<$line>\"; done")};
  child.write("one\n");
  ASSERT_EQ(child.next_line(kLong), ChildProcess::Wait::line);
  EXPECT_EQ(child.line(), "<one>");
  child.write("two words\n");
  ASSERT_EQ(child.next_line(kLong), ChildProcess::Wait::line);
  EXPECT_EQ(child.line(), "<two words>");
  child.close_input();
  EXPECT_EQ(child.next_line(kLong), ChildProcess::Wait::closed);
  EXPECT_EQ(child.wait(kLong), "");
}

TEST(ChildProcess, TakesMoreInputThanAPipeHoldsWhileItsOutputIsRead) {
  const std::string input = std::string(1 << 20, 'x') + "\n";
  ChildProcess child{shell("cat")};
  child.write(input);
  ASSERT_EQ(child.next_line(kLong), ChildProcess::Wait::line);
  EXPECT_EQ(child.line().size(), input.size() - 1);
}

TEST(ChildProcess, AddsToTheEnvironmentAndOverridesIt) {
  setenv("BREAKEVEN_TEST_OLD", "old", 1);
  ChildProcess child{
      {.arguments = {"/bin/sh", "-c", "echo $BREAKEVEN_TEST_OLD $BREAKEVEN_TEST_NEW"},
       .environment = {"BREAKEVEN_TEST_OLD=changed", "BREAKEVEN_TEST_NEW=new"}}};
  ASSERT_EQ(child.next_line(kLong), ChildProcess::Wait::line);
  EXPECT_EQ(child.line(), "changed new");
}

TEST(ChildProcess, StackOfALibraryIsNotAmongItsLastWords) {
  ChildProcess child{
      shell("{ echo unknown key; for frame in 1 2 3; do"
            "  echo '/lib/libmpich.so.12(MPI_Init+0x1c) [0x7f3fcab38c2c]'; done; } >&2")};
  EXPECT_EQ(child.next_line(kLong), ChildProcess::Wait::closed);
  EXPECT_EQ(child.wait(kLong), "");
  EXPECT_EQ(child.error_text(), "unknown key");
}

TEST(ChildProcess, StacksOfOtherMakersAreNotEither) {
  for (const std::string stack : {"[n1:7] [ 0] /lib/libc.so.6(+0x3c050)[0x7f3fcab38c2c]",
                                  "  ->  7# smpi_main in /usr/lib/libsimgrid.so.3.32",
                                  "Backtrace (displayed in actor maestro):"}) {
    ChildProcess child{
        shell("{ echo no way; for frame in 1 2 3; do echo '" + stack + "'; done; } >&2")};
    EXPECT_EQ(child.next_line(kLong), ChildProcess::Wait::closed);
    EXPECT_EQ(child.wait(kLong), "");
    EXPECT_EQ(child.error_text(), "no way");
  }
}

TEST(ChildProcess, SaysHowItEndedAndItsLastWords) {
  ChildProcess child{shell("echo ==== >&2; echo what went wrong >&2; echo >&2; exit 3")};
  EXPECT_EQ(child.next_line(kLong), ChildProcess::Wait::closed);
  EXPECT_EQ(child.wait(kLong), "exit status 3");
  EXPECT_EQ(child.error_text(), "what went wrong");
  ChildProcess killed{shell("kill -SEGV $$")};
  EXPECT_EQ(killed.next_line(kLong), ChildProcess::Wait::closed);
  EXPECT_EQ(killed.wait(kLong), "signal 11 (Segmentation fault)");
}

TEST(ChildProcess, IsEndedWhenItGoesOnAfterItsOutputIsClosed) {
  ChildProcess child{shell("exec 1>&-; sleep 60")};
  EXPECT_EQ(child.next_line(kLong), ChildProcess::Wait::closed);
  EXPECT_EQ(child.wait({0.2}), "signal 15 (Terminated)");
}

TEST(ChildProcess, IsOverWhenItEndsThoughADaemonKeepsItsErrorsOpen) {
  ChildProcess child{shell("sleep 5 >&- & echo gone >&2; exec 1>&-; exit 4")};
  EXPECT_EQ(child.next_line(kLong), ChildProcess::Wait::closed);
  EXPECT_EQ(child.wait(kLong), "exit status 4");
  EXPECT_EQ(child.error_text(), "gone");
}

TEST(ChildProcess, RefusesAProgramThatIsNotThere) {
  try {
    ChildProcess child{{.arguments = {"/no/such/program"}, .environment = {}}};
    FAIL() << "started a program that is not there";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "can't start '/no/such/program': No such file or directory");
  }
}

TEST(ChildProcess, TellsSilenceFromTheEnd) {
  ChildProcess child{shell("sleep 60")};
  EXPECT_EQ(child.next_line({0.1}), ChildProcess::Wait::timeout);
}

TEST(ChildProcess, TakesItsDescendantsAlongWhenItIsKilledEvenStoppedOnes) {
  pid_t grandchild = 0;
  {
    ChildProcess child{shell("setsid sh -c 'echo $$; kill -STOP $$; sleep 60' & wait")};
    ASSERT_EQ(child.next_line(kLong), ChildProcess::Wait::line);
    grandchild = std::stoi(child.line());
  }
  EXPECT_TRUE(ends(grandchild)) << "process " << grandchild << " is left behind";
}

TEST(ChildProcess, EndsWhenItsParentIsKilled) {
  std::array<int, 2> ends_of_pipe{};
  ASSERT_EQ(pipe(ends_of_pipe.data()), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    ChildProcess child{shell("echo $$; sleep 60")};
    static_cast<void>(child.next_line(kLong));
    const int pid = std::stoi(child.line());
    static_cast<void>(!write(ends_of_pipe[1], &pid, sizeof pid));
    ::kill(getpid(), SIGKILL);
  }
  int pid = 0;
  ASSERT_EQ(read(ends_of_pipe[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(ends(pid)) << "process " << pid << " outlived its parent";
}

TEST(ChildProcess, IsWrittenAsAShellWouldTakeIt) {
  EXPECT_EQ(to_text(ChildProcess::Command{.arguments = {"mpiexec", "-n", "2", "a b"},
                                          .environment = {"X=1"}}),
            "X=1 mpiexec -n 2 'a b'");
}

using Words = std::vector<std::string>;

TEST(SplitWords, CutsAtBlanks) {
  EXPECT_EQ(split_words("-f hosts  --tag\t1\n"), (Words{"-f", "hosts", "--tag", "1"}));
  EXPECT_EQ(split_words("  "), Words{});
}

TEST(SplitWords, NotWithinQuotesOrAfterABackslash) {
  EXPECT_EQ(split_words("-x 'a b' \"c d\" e\\ f"), (Words{"-x", "a b", "c d", "e f"}));
  EXPECT_EQ(split_words("--env='A=1 2'x"), Words{"--env=A=1 2x"});
  EXPECT_EQ(split_words("''"), Words{""});
  EXPECT_EQ(split_words(R"("a\"b" 'a\b')"), (Words{"a\"b", "a\\b"}));
}

TEST(SplitWords, ExpandsNothing) { EXPECT_EQ(split_words("$HOME *"), (Words{"$HOME", "*"})); }

TEST(SplitWords, RefusesAQuoteThatStaysOpen) {
  EXPECT_THROW((void)split_words("a 'b"), UsageError);
  EXPECT_THROW((void)split_words("\""), UsageError);
}

}  // namespace
}  // namespace breakeven::launch
