// SPDX-License-Identifier: BSD-3-Clause
#include "core/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/error.hpp"

namespace breakeven {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const char* what, const fs::path& file, int reason) {
  throw UsageError(fmt::format("can't {} '{}': {}", what, file.string(), std::strerror(reason)));
}

}  // namespace

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  errno = 0;
  const bool is_empty = stream && stream.peek() == std::ifstream::traits_type::eof();
  if (is_empty && fs::is_regular_file(file)) return "";
  if (!stream || fs::is_directory(file) || !(text << stream.rdbuf())) {
    refuse("read", file, fs::is_directory(file) ? EISDIR : (errno != 0 ? errno : EIO));
  }
  return text.str();
}

void write_file(const fs::path& file, std::string_view text) {
  const fs::path temporary = fmt::format("{}.{}.tmp", file.string(), getpid());
  errno = 0;
  std::ofstream stream(temporary, std::ios::binary);
  if (!stream) refuse("write", file, errno);
  stream << text << std::flush;
  const bool whole = stream.good();
  stream.close();
  if (!whole || std::rename(temporary.c_str(), file.c_str()) != 0) {
    const int reason = errno;
    std::remove(temporary.c_str());
    refuse("write", file, reason);
  }
}

fs::path programs_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

}  // namespace breakeven
