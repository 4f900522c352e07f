// SPDX-License-Identifier: BSD-3-Clause
// A plain MPI program, whose calls are replaced where a library is preloaded into it:
// bench/preload.py runs it so. What a call costs beside its communication shows where there is
// none: of one process, and of a vector without elements, for which a plan of ours has no steps.
#include <benchmark/benchmark.h>
#include <mpi.h>

namespace {

// As many for all ranks, whose calls meet.
constexpr int kCalls = 200'000;
constexpr int kRounds = 9;

using Bcast = int(void*, int, MPI_Datatype, int, MPI_Comm);

void bcast(benchmark::State& state, Bcast* function, MPI_Comm comm, int count) {
  int value = 0;
  for (auto _ : state) function(&value, count, MPI_INT, 0, comm);
}

void add(const char* name, Bcast* function, MPI_Comm comm, int count) {
  benchmark::RegisterBenchmark(name, bcast, function, comm, count)->Iterations(kCalls);
}

}  // namespace

/// Fails when nothing was run.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (int round = 0; round < kRounds; ++round) {
    add("passed_through/replaced", MPI_Bcast, MPI_COMM_SELF, 1);
    add("passed_through/library", PMPI_Bcast, MPI_COMM_SELF, 1);
    add("no_elements/replaced", MPI_Bcast, MPI_COMM_WORLD, 0);
    add("no_elements/library", PMPI_Bcast, MPI_COMM_WORLD, 0);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::ConsoleReporter shown;
  struct : benchmark::BenchmarkReporter {
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
  } silent;
  benchmark::BenchmarkReporter* reporter = &silent;
  if (me == 0) reporter = &shown;
  const bool ran = benchmark::RunSpecifiedBenchmarks(reporter) > 0;
  MPI_Finalize();
  return ran ? 0 : 2;
}
