// SPDX-License-Identifier: BSD-3-Clause
// A plain MPI program, whose calls are replaced by a library that bench/preload.py preloads. Calls
// without communication show the other costs of a call: calls of one process, calls of no elements,
// for which our plans have no steps, and a call with a communicator that is made for it.
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <string>
#include <utility>

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

/// Calls of `sizes` sizes from 1,000 elements on, one after the other.
void bcast_sizes(benchmark::State& state, Bcast* function, int sizes) {
  static int values[5000];
  int next = 0;
  for (auto _ : state) {
    function(values, 1000 + next, MPI_INT, 0, MPI_COMM_WORLD);
    next = next + 1 < sizes ? next + 1 : 0;
  }
}

void one_call(benchmark::State& state, int dup(MPI_Comm, MPI_Comm*), Bcast* bcast) {
  MPI_Comm made = MPI_COMM_NULL;
  for (auto _ : state) {
    dup(MPI_COMM_WORLD, &made);
    bcast(nullptr, 0, MPI_INT, 0, made);
    MPI_Comm_free(&made);
  }
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
    for (const auto& [name, sizes] :
         {std::pair{"one_size", 1}, std::pair{"24_sizes", 24}, std::pair{"4000_sizes", 4000}}) {
      const std::string of = name;
      benchmark::RegisterBenchmark((of + "/replaced").c_str(), bcast_sizes, MPI_Bcast, sizes)
          ->Iterations(kCalls / 4);
      benchmark::RegisterBenchmark((of + "/library").c_str(), bcast_sizes, PMPI_Bcast, sizes)
          ->Iterations(kCalls / 4);
    }
    benchmark::RegisterBenchmark("one_call/replaced", one_call, MPI_Comm_dup, MPI_Bcast)
        ->Iterations(kCalls / 16);
    benchmark::RegisterBenchmark("one_call/library", one_call, PMPI_Comm_dup, PMPI_Bcast)
        ->Iterations(kCalls / 16);
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
