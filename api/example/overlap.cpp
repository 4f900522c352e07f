// SPDX-License-Identifier: BSD-3-Clause
// Adds a vector over all processes while these compute: compares an allreduce that is started
// before the work with one that blocks after the work.
//
// usage: mpiexec -n 4 overlap-mpich [ALGORITHM [ELEMENTS [PASSES]]]
#include <mpi.h>

#include <algorithm>
#include <breakeven/communicator.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr int kSteps = 31;

/// A pass over data of its own.
void work(std::vector<double>& data) {
  const double norm = std::inner_product(data.begin(), data.end(), data.begin(), 0.0);
  for (double& element : data) element /= std::sqrt(norm);
}

/// The slowest process's time.
template <typename Step>
double time_of(const Step& step) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  step();
  double slowest = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

void print(const char* when, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("%s the work: median %.2f ms (%.2f to %.2f)\n", when, 1e3 * times[times.size() / 2],
              1e3 * times.front(), 1e3 * times.back());
}

void run(int argc, char** argv) {
  const std::string algorithm = argc > 1 ? argv[1] : "ring";
  const int count = argc > 2 ? std::atoi(argv[2]) : 8192;
  const int passes = argc > 3 ? std::atoi(argv[3]) : 500;

  const breakeven::Communicator world{MPI_COMM_WORLD};
  std::vector<double> mine(static_cast<std::size_t>(count), 1.0);
  std::vector<double> all(mine.size());
  const breakeven::Bound sum =
      world.allreduce(mine.data(), all.data(), count, MPI_DOUBLE, MPI_SUM, algorithm);

  std::vector<double> data(8192, 0.5);
  std::vector<double> after;
  std::vector<double> during;
  for (int step = 0; step < kSteps; ++step) {  // in turns
    after.push_back(time_of([&] {
      for (int i = 0; i < passes; ++i) work(data);
      sum.run();
    }));
    during.push_back(time_of([&] {
      breakeven::Request request = sum.start();
      for (int i = 0; i < passes; ++i) {
        work(data);
        if (i % 10 == 9) request.test();
      }
      request.wait();
    }));
  }
  int me = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me != 0) return;
  std::printf("allreduce of %d doubles by %s\n", count, sum.algorithm().c_str());
  print("after", after);
  print("during", during);
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
