// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <exception>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "harness/protocol.hpp"
#include "harness/worker/agree.hpp"
#include "harness/worker/hello.hpp"
#include "harness/worker/measure.hpp"
#include "harness/worker/order.hpp"

namespace breakeven {
namespace {

constexpr int kUsageStatus = 2;
constexpr int kFailureStatus = 3;

constexpr std::string_view kHelp =
    "usage: mpiexec -n RANKS {0} < REQUEST\n"
    "Measures MPI collectives. Started by `breakeven`, which writes the request, one JSON "
    "document,\n"
    "to the standard input of rank 0 and reads one JSON event per line from its standard output.\n"
    "Options: --help, --version\n";

/// Collective. The request that rank 0 reads; checked there first, so that it complains alone.
WorkerRequest read_request(const Communicator& comm) {
  std::string text;
  if (comm.me() == Rank{0}) {
    text.assign(std::istreambuf_iterator<char>{std::cin}, {});
    static_cast<void>(parse_request(text));
  }
  return parse_request(broadcast(text, Rank{0}, comm));
}

void work() {
  const Communicator comm{MPI_COMM_WORLD};
  const WorkerRequest request = read_request(comm);
  const auto emit = [&comm](const WorkerEvent& event) {
    if (comm.me() == Rank{0}) std::cout << to_json(event) << std::endl;
  };
  emit(hello(comm));
  Measurer measurer{request, comm.get(), emit};
  for (const CandidateRange problem : problems_of(request.cases)) measurer.measure(problem);
  emit(End{});
}

/// One line, written at once so that the lines of several ranks stay apart; ends every rank.
/// MPICH's launcher drops what it has not passed on yet when a rank aborts: hence the wait.
void abort_all(std::string_view words, int status) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::cerr << fmt::format("{}: rank {}: {}\n", BREAKEVEN_WORKER_NAME, rank, words) << std::flush;
  std::this_thread::sleep_for(std::chrono::milliseconds{300});
  MPI_Abort(MPI_COMM_WORLD, status);
}

int run_under_mpi(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    work();
  } catch (const UsageError& error) {
    abort_all(error.what(), kUsageStatus);
  } catch (const std::exception& error) {
    abort_all(error.what(), kFailureStatus);
  }
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace breakeven

int main(int argc, char** argv) {
  if (argc == 1) return breakeven::run_under_mpi(argc, argv);
  const std::string_view option = argv[1];
  if (argc == 2 && option == "--help") {
    std::cout << fmt::format(breakeven::kHelp, BREAKEVEN_WORKER_NAME);
    return 0;
  }
  if (argc == 2 && option == "--version") {
    std::cout << BREAKEVEN_WORKER_NAME " " BREAKEVEN_VERSION "\n";
    return 0;
  }
  std::cerr << BREAKEVEN_WORKER_NAME ": takes --help or --version, or no argument; got '" << option
            << "'\n";
  return breakeven::kUsageStatus;
}
