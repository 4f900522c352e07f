// SPDX-License-Identifier: BSD-3-Clause
// A program that spends its time in one collective: processes average a vector of 64 KiB, as in
// training by gradients, 300 times.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  constexpr int kSteps = 300;
  MPI_Init(&argc, &argv);
  int me = 0;
  int procs = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  std::vector<double> vector(8192, me);
  const double begin = MPI_Wtime();
  for (int step = 0; step < kSteps; ++step) {
    for (double& element : vector) element = std::sin(element) / procs;
    MPI_Allreduce(MPI_IN_PLACE, vector.data(), static_cast<int>(vector.size()), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
  }
  if (me == 0) std::printf("%d steps in %.3g s\n", kSteps, MPI_Wtime() - begin);
  MPI_Finalize();
}
