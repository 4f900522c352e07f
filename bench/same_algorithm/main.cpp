// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "bench/same_algorithm/compare.hpp"
#include "bench/same_algorithm/library.hpp"
#include "bench/same_algorithm/options.hpp"
#include "bench/same_algorithm/report.hpp"
#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "harness/worker/abort.hpp"
#include "harness/worker/control_variable.hpp"
#include "harness/worker/tools_session.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "libraries/library_algorithm.hpp"

// Each algorithm that the MPI library has too, beside the library's own, which is made to run just
// that one.

namespace breakeven::bench {
namespace {

constexpr int kUsageStatus = 2;
constexpr int kFailureStatus = 3;
const std::vector<Bytes> kNoData{Bytes{0}};

void set_environment() {
  for (const Setting& setting : kLibrary.settings) {
    const std::string name = std::string{kLibrary.prefix} + setting.variable;
    setenv(name.c_str(), setting.value.c_str(), 1);
  }
}

/// @throws Error when the environment was not heeded.
void require_settings() {
  for (const Setting& setting : kLibrary.settings) {
    const auto variable = ControlVariable::find(setting.variable);
    if (variable && variable->text() == setting.value) continue;
    throw Error(fmt::format("{} is not {}, though the environment says so", setting.variable,
                            setting.value));
  }
}

Case case_of(const Pair& pair, std::string algorithm, Bytes size, int procs) {
  return {.collective = pair.collective,
          .algorithm = std::move(algorithm),
          .procs = procs,
          .procs_per_node = procs,
          .message = size,
          .datatype = Datatype::double_,
          .op = reduces(pair.collective) ? Op::sum : Op::none};
}

void measure(const Pair& pair, Bytes size, const Communicator& comm, int rounds, Report& report) {
  const Case ours = case_of(pair, std::string{pair.ours}, size, comm.procs());
  const Case library =
      case_of(pair, fmt::format("{}:{}", kLibrary.key, pair.library), size, comm.procs());
  if (!runs(find_algorithm(pair.collective, pair.ours), problem_of(ours, comm.me()))) {
    return report.skipped(ours, "skipped: ours can't run at this p");
  }
  if (refusal(library)) {
    return report.skipped(ours, "skipped: the library runs another instead");
  }
  report.point(ours, compare(ours, library, comm, rounds));
}

void measure_all(const Options& options) {
  const Communicator comm{MPI_COMM_WORLD};
  const ToolsSession tools;
  require_settings();
  const std::vector<Pair> pairs = chosen_pairs(options);
  const std::vector<Bytes> sizes = chosen_sizes(options);
  Report report{comm.procs(), options.rounds, comm.me() == Rank{0}};
  for (const Pair& pair : pairs) {
    report.begin(pair);
    for (const Bytes size : moves_data(pair.collective) ? sizes : kNoData) {
      measure(pair, size, comm, options.rounds, report);
    }
  }
  report.summary();
}

int main_under_mpi(int argc, const char* const* argv) {
  int me = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  CLI::App app{fmt::format("Measures our algorithms beside the same of {}.", kLibrary.name)};
  Options options;
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = error.get_exit_code() == 0 ? 0 : kUsageStatus;
    if (me == 0) app.exit(error);
    return status;
  }
  try {
    measure_all(options);
  } catch (const UsageError& error) {
    abort_all("bench_same_algorithm", error.what(), kUsageStatus);
  } catch (const std::exception& error) {
    abort_all("bench_same_algorithm", error.what(), kFailureStatus);
  }
  return 0;
}

}  // namespace
}  // namespace breakeven::bench

int main(int argc, char** argv) {
  breakeven::bench::set_environment();
  MPI_Init(&argc, &argv);
  const int status = breakeven::bench::main_under_mpi(argc, argv);
  MPI_Finalize();
  return status;
}
