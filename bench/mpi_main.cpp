// SPDX-License-Identifier: BSD-3-Clause
#include <benchmark/benchmark.h>
#include <mpi.h>

/// Fails when nothing was run.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  benchmark::Initialize(&argc, argv);
  const bool ran = !benchmark::ReportUnrecognizedArguments(argc, argv) &&
                   benchmark::RunSpecifiedBenchmarks() > 0;
  MPI_Finalize();
  return ran ? 0 : 2;
}
