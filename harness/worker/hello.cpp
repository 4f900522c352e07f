// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/hello.hpp"

#include <limits>
#include <sstream>
#include <string>

#include "executor/mpi_error.hpp"
#include "harness/doctor/host.hpp"
#include "harness/worker/agree.hpp"
#include "harness/worker/library_version.hpp"
#include "harness/worker/places.hpp"

namespace breakeven {

namespace {

/// The first line, without blanks at its ends and with single ones inside.
std::string tidy_first_line(const std::string& text) {
  std::istringstream words{text.substr(0, text.find('\n'))};
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

Hello hello(const Communicator& comm) {
  Hello hello;
  find_places(hello, comm);
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
