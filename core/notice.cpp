// SPDX-License-Identifier: BSD-3-Clause
#include "core/notice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"

namespace breakeven {

namespace {

constexpr std::size_t kMembers = 11;

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

std::string to_text(const Notice& notice) {
  std::string text =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", notice.cookie,
                  kNoticeKinds.of(notice.kind), one_line(notice.job), notice.procs, notice.rank,
                  one_line(notice.node), notice.pid, one_line(notice.program),
                  one_line(notice.detail), one_line(notice.library_version), one_line(notice.cpu));
  for (const std::string& each : notice.unreadable) text += one_line(each) + '\n';
  return text;
}

Notice notice_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  const auto kind = lines.size() < kMembers ? std::nullopt : kNoticeKinds.find(lines[1]);
  if (!kind) throw Error("no notice of a preloaded program");
  return {.kind = *kind,
          .cookie = lines[0],
          .job = lines[2],
          .procs = std::atoi(lines[3].c_str()),
          .rank = std::atoi(lines[4].c_str()),
          .node = lines[5],
          .pid = std::atoi(lines[6].c_str()),
          .program = lines[7],
          .detail = lines[8],
          .library_version = lines[9],
          .cpu = lines[10],
          .unreadable = {lines.begin() + kMembers, lines.end()}};
}

}  // namespace breakeven
