// SPDX-License-Identifier: BSD-3-Clause
// A program whose time is in one collective: processes average a vector again and again, as in
// training by gradients.
//
// usage: averages [STEPS [WORK [apart [ELEMENTS]]]]: 300 averages of ELEMENTS doubles (8192: 64
// KiB); before each, WORK sines of an element (8192). They are in place, or in a vector apart.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc > 1 ? std::atoi(argv[1]) : 300;
  const int work = argc > 2 ? std::atoi(argv[2]) : 8192;
  const bool apart = argc > 3;
  int me = 0;
  int procs = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  const std::size_t elements = argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 8192;
  std::vector<double> vector(elements, me);
  std::vector<double> sums(apart ? vector.size() : 0);
  double called_s = 0;
  const double begin = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < work; ++i) {
      double& element = vector[static_cast<std::size_t>(i) % vector.size()];
      element = std::sin(element) / procs;
    }
    const double call = MPI_Wtime();
    MPI_Allreduce(apart ? vector.data() : MPI_IN_PLACE, apart ? sums.data() : vector.data(),
                  static_cast<int>(vector.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    called_s += MPI_Wtime() - call;
  }
  if (me == 0)
    std::printf("%d steps in %.4g s, %.4g s of it in calls\n", steps, MPI_Wtime() - begin,
                called_s);
  MPI_Finalize();
}
