// SPDX-License-Identifier: BSD-3-Clause
// A program whose collectives are alltoalls: three-dimensional Fourier transforms, forth and back,
// of a cube that is cut into slabs. Between the second and the third dimension all processes
// exchange their parts.
//
// usage: fourier [N [STEPS]]: 100 times forth and back, of N^3 complex numbers (64; a power of two)
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <utility>
#include <vector>

namespace {

using Complex = std::complex<double>;

/// In place, in `line`, of `length` elements `stride` apart.
void transform(Complex* data, std::size_t stride, std::vector<Complex>& line, double sign) {
  const std::size_t length = line.size();
  for (std::size_t i = 0, j = 0; i < length; ++i) {
    line[j] = data[i * stride];
    std::size_t bit = length >> 1U;
    for (; (j & bit) != 0; bit >>= 1U) j ^= bit;
    j ^= bit;
  }
  for (std::size_t half = 1; half < length; half *= 2) {
    const Complex turn = std::polar(1.0, sign * std::numbers::pi / static_cast<double>(half));
    for (std::size_t begin = 0; begin < length; begin += 2 * half) {
      Complex factor = 1;
      for (std::size_t i = begin; i < begin + half; ++i, factor *= turn) {
        const Complex odd = factor * line[i + half];
        line[i + half] = line[i] - odd;
        line[i] += odd;
      }
    }
  }
  for (std::size_t i = 0; i < length; ++i) data[i * stride] = line[i];
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto n = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 64);
  const int steps = argc > 2 ? std::atoi(argv[2]) : 100;
  int me = 0;
  int procs = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  const std::size_t mine = n / static_cast<std::size_t>(procs);  // planes; rows after an exchange
  std::vector<Complex> slab(mine * n * n);                       // plane, row, element
  std::vector<Complex> parts(slab.size());  // process, plane, row of its rows, element
  std::vector<Complex> line(n);
  for (std::size_t i = 0; i < slab.size(); ++i) slab[i] = {static_cast<double>(i % 7), me * 1.0};
  const std::vector<Complex> original = slab;
  const auto part = [&](std::size_t i) {
    const std::size_t row = i / n % n;
    return ((row / mine * mine + i / n / n) * mine + row % mine) * n + i % n;
  };
  const auto transform_planes = [&](double sign) {
    for (std::size_t i = 0; i < mine * n; ++i) transform(&slab[i * n], 1, line, sign);
    for (std::size_t i = 0; i < mine * n; ++i)
      transform(&slab[i / n * n * n + i % n], n, line, sign);
  };
  double called_s = 0;
  const auto exchange = [&](std::vector<Complex>& from, std::vector<Complex>& to) {
    const auto count = static_cast<int>(2 * mine * mine * n);
    const double call = MPI_Wtime();
    MPI_Alltoall(from.data(), count, MPI_DOUBLE, to.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
    called_s += MPI_Wtime() - call;
  };
  double error = 0;
  const double begin = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    transform_planes(-1);
    for (std::size_t i = 0; i < slab.size(); ++i) parts[part(i)] = slab[i];
    exchange(parts, slab);
    for (const double sign : {-1.0, 1.0})
      for (std::size_t i = 0; i < mine * n; ++i) transform(&slab[i], mine * n, line, sign);
    exchange(slab, parts);
    for (std::size_t i = 0; i < slab.size(); ++i) slab[i] = parts[part(i)];
    transform_planes(1);
    double worst = 0;
    for (std::size_t i = 0; i < slab.size(); ++i) {
      slab[i] /= static_cast<double>(n * n * n);
      worst = std::max(worst, std::abs(slab[i] - original[i]));
    }
    MPI_Allreduce(&worst, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  if (me == 0)
    std::printf("%d steps in %.4g s, %.4g s of it in alltoall; error %.1g\n", steps,
                MPI_Wtime() - begin, called_s, error);
  MPI_Finalize();
  return error < 1e-9 ? 0 : 1;
}
