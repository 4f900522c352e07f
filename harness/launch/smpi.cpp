// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/smpi.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "harness/launch/install_paths.hpp"

namespace breakeven::launch {

namespace {

namespace fs = std::filesystem;

constexpr Seconds kPatience{60};  // for SimGrid to read a platform

/// A file with this text that is in no folder: it ends with this process in any case. The children
/// of this process open it by the name that is returned.
std::string nameless_file(const std::string& text) {
  static std::map<std::string, int> files;  // by their texts: a sweep has few layouts
  const auto found = files.find(text);
  int file = found != files.end() ? found->second : -1;
  if (file < 0) {
    file = memfd_create("breakeven-hosts", MFD_CLOEXEC);
    if (file < 0 || ::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
      throw Error(fmt::format("can't write a host file: {}", std::strerror(errno)));
    }
    files.emplace(text, file);
  }
  return fmt::format("/proc/{}/fd/{}", getpid(), file);
}

/// smpirun's host file has NAME or NAME:RANKS, without blanks around it.
/// @throws UsageError when it would read another name
void require_listable(const std::string& host, const fs::path& platform) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const bool listable = !host.empty() && host.find(':') == std::string::npos &&
                        kBlanks.find(host.front()) == std::string_view::npos &&
                        kBlanks.find(host.back()) == std::string_view::npos;
  if (listable) return;
  throw UsageError(fmt::format(
      "platform '{}' has host '{}', which smpirun would take for another one: a name must have no "
      "':', and no blank at its ends",
      platform.native(), host));
}

/// The host of each rank, one a line.
std::string host_lines(const JobLayout& layout) {
  std::string lines;
  for (const int node : nodes_of_ranks(layout)) {
    lines += layout.hosts.at(static_cast<std::size_t>(node)) + "\n";
  }
  return lines;
}

/// smpirun places ranks by a host file alone. More ranks than cores share them in simulated time.
ChildProcess::Command smpirun_command(std::string_view program, const JobLayout& layout,
                                      const fs::path& /*yield*/) {
  return {.arguments = {std::string{program}, "-np", fmt::format("{}", layout.procs), "-hostfile",
                        nameless_file(host_lines(layout))},
          .environment = {}};
}

/// The options of every simulation: simulated time passes in messages and in our own charges, never
/// because this host takes time, and never to read a clock.
/// @see "Configuring SimGrid" in its documentation
std::vector<std::string> options_of(const SmpiMachine& machine) {
  std::vector<std::string> options{
      "-platform",
      machine.platform.native(),
      "--log=root.thres:error",
      "--cfg=smpi/simulate-computation:no",
      "--cfg=smpi/wtime:0",
      "--cfg=surf/precision:1e-12",
      fmt::format("--cfg=smpi/coll-selector:{}", kSmpiSelectors.of(machine.selector))};
  if (machine.network == SmpiNetwork::pure) {
    // 0:1 is a factor of 1 from 0 bytes on; a bare 1 crashes SimGrid 3.32.
    for (const char* plain : {"smpi/bw-factor:0:1", "smpi/lat-factor:0:1", "network/TCP-gamma:0",
                              "network/crosstraffic:0"}) {
      options.push_back(fmt::format("--cfg={}", plain));
    }
  }
  return options;
}

/// FNV-1a of a file's content.
std::uint64_t digest_of(const fs::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || fs::is_directory(file)) {
    throw UsageError(fmt::format("can't read platform '{}': {}", file.native(),
                                 std::strerror(errno != 0 ? errno : EISDIR)));
  }
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::istreambuf_iterator<char> each{stream}, end; each != end; ++each) {
    hash = (hash ^ static_cast<unsigned char>(*each)) * 0x100000001b3U;
  }
  return hash;
}

}  // namespace

const Launcher smpi{.library = "smpi",
                    .product = "SimGrid SMPI (smpirun)",
                    .program = kSmpiProgram,
                    .command = smpirun_command,
                    .name = "smpirun"};

SmpiPlatform read_platform(const fs::path& file, const fs::path& workers) {
  const std::uint64_t digest = digest_of(file);
  ChildProcess reader{{.arguments = {(workers / "breakeven-smpi-hosts").native(), file.native()}}};
  reader.close_input();
  SmpiPlatform platform;
  std::vector<int> cores;
  while (reader.next_line(kPatience) == ChildProcess::Wait::line) {
    std::istringstream words{reader.line()};
    words >> cores.emplace_back();
    std::getline(words.ignore(), platform.hosts.emplace_back());
  }
  const std::string end = reader.wait(kPatience);
  if (!end.empty() || platform.hosts.empty()) {
    const std::string words = end.empty() ? "it has no hosts" : reader.error_text();
    throw UsageError(fmt::format("SimGrid can't read platform '{}': {}", file.native(),
                                 words.empty() ? end : words));
  }
  platform.cores = *std::ranges::min_element(cores);
  platform.identity = fmt::format("platform {:016x}, {} hosts", digest, platform.hosts.size());
  return platform;
}

Library find_smpi(const SmpiMachine& machine, const SmpiPlatform& platform, int hosts,
                  const fs::path& workers, const LauncherOptions& launcher) {
  if (hosts > static_cast<int>(platform.hosts.size())) {
    throw UsageError(fmt::format("{} hosts asked for; platform '{}' has {}", hosts,
                                 machine.platform.native(), platform.hosts.size()));
  }
  Library library = find_library(smpi.library, workers, launcher);
  const std::vector<std::string> options = options_of(machine);
  library.arguments.insert(library.arguments.begin(), options.begin(), options.end());
  library.hosts.assign(platform.hosts.begin(), platform.hosts.begin() + hosts);
  for (const std::string& host : library.hosts) require_listable(host, machine.platform);
  library.environment = {fmt::format("BREAKEVEN_SMPI_GAMMA={}", machine.gamma_per_byte)};
  return library;
}

}  // namespace breakeven::launch
