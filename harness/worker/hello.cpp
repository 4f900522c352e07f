// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/hello.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "executor/mpi_error.hpp"

namespace breakeven {

namespace {

/// The first line, without blanks at its ends and with single ones inside.
std::string tidy_first_line(const std::string& text) {
  std::istringstream words{text.substr(0, text.find('\n'))};
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return tidy_first_line(text.data());  // Open MPI counts the terminating zero in `length`
}

std::vector<std::string> hosts(const Communicator& comm) {
  using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
  Name own{};
  int length = 0;
  check_mpi(MPI_Get_processor_name(own.data(), &length), "MPI_Get_processor_name");
  std::vector<Name> names(comm.me() == Rank{0} ? static_cast<std::size_t>(comm.procs()) : 0);
  check_mpi(MPI_Gather(own.data(), static_cast<int>(own.size()), MPI_CHAR, names.data(),
                       static_cast<int>(own.size()), MPI_CHAR, 0, comm.get()),
            "MPI_Gather");
  std::vector<std::string> hosts;
  for (const Name& name : names) hosts.emplace_back(name.begin(), std::ranges::find(name, '\0'));
  return hosts;
}

std::string cpu_model() {
  std::ifstream info{"/proc/cpuinfo"};
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return tidy_first_line(line.substr(line.find(':') + 1));
  }
  return "unknown";
}

std::string kernel() {
  utsname system{};
  if (uname(&system) != 0) return "unknown";
  return fmt::format("{} {}", system.sysname, system.release);
}

std::string governor() {
  std::ifstream file{"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"};
  std::string name;
  return std::getline(file, name) ? name : "unknown";
}

}  // namespace

Hello hello(const Communicator& comm) {
  return {.library_version = library_version(),
          .hosts = hosts(comm),
          .cpu = cpu_model(),
          // Of the host, not of this rank: the launcher may have bound it to one of them.
          .cores = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))),
          .kernel = kernel(),
          .governor = governor()};
}

}  // namespace breakeven
