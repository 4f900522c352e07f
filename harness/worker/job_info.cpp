// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/job_info.hpp"

#include <limits>
#include <sstream>
#include <string>

#include "executor/mpi_error.hpp"
#include "harness/doctor/host.hpp"
#include "harness/worker/agree.hpp"
#include "harness/worker/library_facts.hpp"
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

JobInfo job_info(const Communicator& comm) {
  JobInfo job_info;
  find_places(job_info, comm);
  HostFacts host;
  int cores = std::numeric_limits<int>::max();
  if (first_on_node(host_name(), comm)) {
    host = read_host(cpus_of_launcher());
    cores = usable_cores(host.cpus);
  }
  check_mpi(MPI_Reduce(&cores, &job_info.cores, 1, MPI_INT, MPI_MIN, 0, comm.get()), "MPI_Reduce");
  job_info.library_version = tidy_first_line(library_version());
  job_info.cpu = host.processor.value_or("unknown");
  job_info.kernel = host.kernel.value_or("unknown");
  job_info.governor = governor_names(host.frequency);
  return job_info;
}

}  // namespace breakeven
