// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "harness/plan/order.hpp"
#include "harness/protocol/protocol.hpp"
#include "harness/worker/library_choice.hpp"
#include "harness/worker/measure.hpp"
#include "harness/worker/tasks.hpp"
#include "libraries/forced/tools.hpp"

namespace breakeven::worker {
namespace {

constexpr int kUsageStatus = 2;
constexpr int kFailureStatus = 3;

constexpr std::string_view kHelp =
    "usage: mpiexec -n RANKS {0} < REQUESTS\n"
    "Measures MPI collectives. Started by `breakeven`, which writes requests, one JSON document a\n"
    "line, to the standard input of rank 0 and reads events, one a line, from its standard "
    "output.\n"
    "Options: --help, --version\n";

/// Collective. The next request that rank 0 reads, or nothing at the end; rank 0 checks it first,
/// so that it complains alone.
std::optional<protocol::WorkerRequest> read_request(const executor::Communicator& comm) {
  std::string line;
  if (comm.me() == Rank{0}) {
    while (line.empty() && std::getline(std::cin, line)) continue;
    if (!line.empty()) static_cast<void>(protocol::parse_request(line));
  }
  line = broadcast(line, Rank{0}, comm);
  if (line.empty()) return std::nullopt;
  return protocol::parse_request(line);
}

/// The memory that the process holds.
std::int64_t resident_bytes() {
  std::int64_t all_pages = 0;
  std::int64_t resident_pages = 0;
  std::ifstream{"/proc/self/statm"} >> all_pages >> resident_pages;
  return resident_pages * sysconf(_SC_PAGESIZE);
}

/// The time and memory of MPI_Init.
struct Init {
  double seconds;
  std::int64_t bytes;
};

protocol::ReadBack read_after(const Init& init, const protocol::ReadBackRequest& request) {
  protocol::ReadBack read = read_back(request);
  read.init_s = init.seconds;
  read.init_bytes = init.bytes;
  return read;
}

void work(const Init& init) {
  const forced::ToolsSession tools;
  const executor::Communicator comm{MPI_COMM_WORLD};
  const auto emit = [&comm](const protocol::WorkerEvent& event) {
    if (comm.me() == Rank{0}) std::cout << protocol::to_json(event) << std::endl;
  };
  emit(job_info(comm));
  Measurer measurer{comm.get(), emit};
  const protocol::Match obey{
      [&](protocol::MeasureRequest&& request) { measurer.measure(std::move(request)); },
      [&](protocol::CalibrateRequest&&) { emit(calibrate(comm)); },
      [&](protocol::InspectRequest&& request) {
        std::ranges::for_each(inspect(request, comm), emit);
      },
      [&](protocol::ClocksRequest&& request) { watch_clocks(request, comm, emit); },
      [&](protocol::CapabilitiesRequest&&) { emit(library_capabilities()); },
      [&](protocol::ReadBackRequest&& request) { emit(read_after(init, request)); }};
  emit(protocol::Ready{});
  while (std::optional<protocol::WorkerRequest> request = read_request(comm)) {
    std::visit(obey, std::move(*request));
    emit(protocol::Ready{});
  }
  emit(protocol::LaunchEnd{});
}

int run_under_mpi(int argc, char** argv) {
  const std::int64_t before_bytes = resident_bytes();
  const auto before = std::chrono::steady_clock::now();
  MPI_Init(&argc, &argv);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  try {
    work({took.count(), resident_bytes() - before_bytes});
  } catch (const UsageError& error) {
    abort_all(BREAKEVEN_WORKER_NAME, error.what(), kUsageStatus);
  } catch (const std::exception& error) {
    abort_all(BREAKEVEN_WORKER_NAME, error.what(), kFailureStatus);
  }
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace breakeven::worker

int main(int argc, char** argv) {
  if (argc == 1) return breakeven::worker::run_under_mpi(argc, argv);
  const std::string_view option = argv[1];
  if (argc == 2 && option == "--help") {
    std::cout << fmt::format(breakeven::worker::kHelp, BREAKEVEN_WORKER_NAME);
    return 0;
  }
  if (argc == 2 && option == "--version") {
    std::cout << BREAKEVEN_WORKER_NAME " " BREAKEVEN_VERSION "\n";
    return 0;
  }
  std::cerr << BREAKEVEN_WORKER_NAME ": takes --help or --version, or no argument; got '" << option
            << "'\n";
  return breakeven::worker::kUsageStatus;
}
