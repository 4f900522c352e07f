// SPDX-License-Identifier: BSD-3-Clause
// Normalises a vector that is spread over all processes, again and again: its norm is an allreduce
// of one number, bound once.
//
// usage: mpiexec -n 4 norms-mpich [table.json]
#include <mpi.h>

#include <breakeven/communicator.hpp>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numeric>
#include <vector>

namespace {

constexpr int kSteps = 1000;

void run(int argc, char** argv) {
  const breakeven::Communicator world =
      argc > 1 ? breakeven::Communicator{MPI_COMM_WORLD, breakeven::Table{argv[1], MPI_COMM_WORLD}}
               : breakeven::Communicator{MPI_COMM_WORLD};

  std::vector<double> vector(1000, 3.0);
  double mine = 0;
  double all = 0;
  const breakeven::Bound sum = world.allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM);
  for (int step = 0; step < kSteps; ++step) {
    mine = std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0);
    sum.run();
    for (double& element : vector) element /= std::sqrt(all);
  }

  // By name: the largest element, at rank 0.
  double largest = 0;
  world.reduce(vector.data(), &largest, 1, MPI_DOUBLE, MPI_MAX, 0, "binomial").run();
  int me = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0)
    std::printf("norm %g by %s, element %g\n", std::sqrt(all), sum.algorithm().c_str(), largest);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
}
