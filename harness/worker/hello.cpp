// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/hello.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "executor/mpi_error.hpp"
#include "harness/doctor/host.hpp"
#include "harness/worker/agree.hpp"
#include "harness/worker/library_facts.hpp"

namespace breakeven {

namespace {

/// The first line, without blanks at its ends and with single ones inside.
std::string tidy_first_line(const std::string& text) {
  std::istringstream words{text.substr(0, text.find('\n'))};
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
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

}  // namespace

Hello hello(const Communicator& comm) {
  Hello hello{.hosts = hosts(comm)};
  HostFacts host;
  int cores = std::numeric_limits<int>::max();
  if (first_on_node(host_name(), comm)) {
    host = read_host(cpus_of_launcher());
    cores = usable_cores(host.cpus);
  }
  check_mpi(MPI_Reduce(&cores, &hello.cores, 1, MPI_INT, MPI_MIN, 0, comm.get()), "MPI_Reduce");
  hello.library_version = tidy_first_line(library_version());
  hello.cpu = host.processor.value_or("unknown");
  hello.kernel = host.kernel.value_or("unknown");
  hello.governor = governor_names(host.frequency);
  return hello;
}

}  // namespace breakeven
