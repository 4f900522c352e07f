// SPDX-License-Identifier: BSD-3-Clause
#include "core/notice.hpp"

#include <gtest/gtest.h>

namespace breakeven {
namespace {

TEST(Notice, IsReadAsItIsWritten) {
  const Notice notice{.kind = Notice::Kind::past_us,
                      .cookie = "c",
                      .job = "a job",
                      .procs = 4,
                      .rank = 3,
                      .node = "node1",
                      .pid = 17,
                      .program = "a\nb",
                      .detail = "",
                      .library_version = "MPICH Version: 4.0.2",
                      .cpu = "a cpu",
                      .unreadable = {"/tmp/a b", "/tmp/c"}};
  const Notice read = notice_of(to_text(notice));
  EXPECT_EQ(read.kind, notice.kind);
  EXPECT_EQ(read.program, notice.program);
  EXPECT_EQ(read.library_version, notice.library_version);
  EXPECT_EQ(read.cpu, notice.cpu);
  EXPECT_EQ(read.unreadable, notice.unreadable);
  EXPECT_EQ(to_text(read), to_text(notice));
}

TEST(Notice, OfAStrangerIsRefused) {
  EXPECT_THROW(static_cast<void>(notice_of("")), Error);
  EXPECT_THROW(static_cast<void>(notice_of("GET / HTTP/1.1\n\n\n\n\n\n\n\n\n\n")), Error);
}

}  // namespace
}  // namespace breakeven
