// SPDX-License-Identifier: BSD-3-Clause
#include "results/store.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <string_view>

#include "core/error.hpp"
#include "guidelines/evaluate.hpp"
#include "kernels/catalogue.hpp"
#include "tuner/make_table.hpp"

// The cost of a results database of a large machine: storing ten million samples, and loading,
// tuning and checking 100,000 measurements. `bench_store --make FILE` only makes such a
// database, on which the commands themselves can be timed.

namespace breakeven::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kSamples = 1000;  // of a measurement
constexpr int kMeasurements = 100'000;
constexpr int kLaunches = 5;  // of each p

/// A file in the folder for temporary ones (TMPDIR), which goes with this object.
class TemporaryFile {
 public:
  TemporaryFile() { fs::remove(path_); }
  ~TemporaryFile() { fs::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_ = fs::temp_directory_path() / fmt::format("breakeven_bench_{}.db", getpid());
};

/// Durations as a quiet machine has them: 5 % apart, of a clock with nanoseconds.
std::vector<Seconds> samples_around(double seconds, int count, std::mt19937_64& random) {
  std::lognormal_distribution<double> noise{0, 0.05};
  std::vector<Seconds> samples;
  for (int i = 0; i < count; ++i) {
    samples.push_back({std::round(seconds * noise(random) * 1e9) / 1e9});
  }
  return samples;
}

/// Every algorithm of six collectives at twenty sizes, at more and more processes.
std::vector<Case> cases_at(int procs) {
  std::vector<Case> cases;
  for (const Collective collective :
       {Collective::allreduce, Collective::reduce, Collective::reduce_scatter_block,
        Collective::allgather, Collective::scatter, Collective::bcast}) {
    std::vector<Variant> variants{Native{}};
    for (const kernels::Algorithm* algorithm : kernels::catalogue(collective))
      variants.push_back(Ours{std::string{algorithm->name}});
    for (std::int64_t bytes = 8; bytes < 8 << 20; bytes *= 2) {
      for (const Variant& variant : variants) {
        cases.push_back({.collective = collective,
                         .variant = variant,
                         .procs = procs,
                         .procs_per_node = procs,
                         .message = {bytes},
                         .op = reduces(collective) ? Op::sum : Op::none});
      }
    }
  }
  return cases;
}

/// Fills a database with kMeasurements measurements of 50 samples.
void make(const fs::path& file) {
  std::mt19937_64 random{1};
  results::Store store{file, results::Store::Access::write};
  const results::MachineId machine =
      store.add(Machine{.name = "mpich", .library_version = "4.0.2"});
  results::Store::Batch batch = store.batch();
  int measured = 0;
  for (int procs = 2; measured < kMeasurements; ++procs) {
    const std::vector<Case> cases = cases_at(procs);
    for (int repeat = 0; repeat < kLaunches; ++repeat) {
      const results::LaunchId launch =
          store.begin(machine, {.layout = {.procs = procs}, .repeat = repeat});
      for (const Case& what : cases) {
        const double seconds = 1e-6 * std::log2(procs) +
                               1e-9 * static_cast<double>(what.message.value) *
                                   static_cast<double>(1 + what.variant.algorithm().size() % 5);
        const std::vector<Seconds> samples = samples_around(seconds, 50, random);
        store.add(launch, what, {.local = samples, .stop = Stop::precise},
                  {.low = {seconds}, .high = {seconds}});
        if (++measured == kMeasurements) break;
      }
      if (measured == kMeasurements) break;
    }
  }
  batch.commit();
}

/// As a sweep stores: each measurement on its own, safe on the disk before the next.
void store_samples(benchmark::State& state) {
  std::mt19937_64 random{1};
  const std::vector<Seconds> samples = samples_around(5e-6, kSamples, random);
  const auto measurements = static_cast<int>(state.range(0)) / kSamples;
  std::uintmax_t bytes = 0;
  for (auto unused : state) {
    static_cast<void>(unused);
    const TemporaryFile file;
    results::Store store{file.path(), results::Store::Access::write};
    const results::LaunchId launch = store.begin(store.add(Machine{.name = "mpich"}), {});
    for (int i = 0; i < measurements; ++i) {
      store.add(launch, {.variant = Ours{"ring"}, .message = {i + 1}}, {.local = samples});
    }
    bytes = fs::file_size(file.path());
  }
  const auto stored = static_cast<double>(state.range(0));
  state.counters["samples"] =
      benchmark::Counter(stored, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes_per_sample"] = static_cast<double>(bytes) / stored;
}
BENCHMARK(store_samples)->Arg(10'000)->Arg(10'000'000)->Unit(benchmark::kSecond)->UseRealTime();

/// Times `body`, given the machine's measurements or the store to ask for them.
template <typename Body>
void on_measurements(benchmark::State& state, const Body& body) {
  const TemporaryFile file;
  make(file.path());
  const results::Store store{file.path(), results::Store::Access::read};
  const results::MachineId machine = store.machines().begin()->first;
  const std::vector<Measurement> measurements = store.measurements(machine);
  for (auto unused : state) {
    static_cast<void>(unused);
    body(store, machine, measurements);
  }
}

using Measurements = std::vector<Measurement>;

void load(benchmark::State& state) {
  on_measurements(state,
                  [](const results::Store& store, results::MachineId machine, const Measurements&) {
                    benchmark::DoNotOptimize(store.measurements(machine));
                  });
}
BENCHMARK(load)->Unit(benchmark::kSecond);

void tune(benchmark::State& state) {
  on_measurements(state,
                  [](const results::Store&, results::MachineId, const Measurements& measurements) {
                    benchmark::DoNotOptimize(tuner::make_table(measurements, {}));
                  });
}
BENCHMARK(tune)->Unit(benchmark::kSecond);

void check(benchmark::State& state) {
  on_measurements(state,
                  [](const results::Store&, results::MachineId, const Measurements& measurements) {
                    benchmark::DoNotOptimize(guidelines::evaluate(measurements));
                  });
}
BENCHMARK(check)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace breakeven::bench

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view{argv[1]} == "--make") {
    breakeven::bench::make(argv[2]);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
