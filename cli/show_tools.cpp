// SPDX-License-Identifier: BSD-3-Clause
// The same durations as OSU's, Intel's and ReproMPI's benchmarks report them.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>

#include "cli/show.hpp"
#include "stats/median.hpp"

namespace breakeven::cli {

namespace {

/// "Reduce_scatter_block", as MPI names it.
std::string mpi_name(Collective collective) {
  std::string name{kCollectives.of(collective)};
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return name;
}

/// Statistics of the ranks' means, over all launches that have them.
struct OverRanks {
  double min = std::numeric_limits<double>::infinity();
  double max = 0;
  double sum = 0;  // of all repetitions' means over the ranks
  std::int64_t repetitions = 0;
};

std::optional<OverRanks> over_ranks(const CaseHistory& history) {
  OverRanks all;
  for (const results::StoredMeasurement& launch : history.launches) {
    if (!launch.rank_means) continue;
    all.min = std::min(all.min, launch.rank_means->min.value);
    all.max = std::max(all.max, launch.rank_means->max.value);
    all.sum += launch.rank_means->avg.value * launch.measurement.samples;
    all.repetitions += launch.measurement.samples;
  }
  if (all.repetitions == 0) return std::nullopt;
  return all;
}

std::string average(const OverRanks& all) {
  return fmt::format("{:.2f}", all.sum / static_cast<double>(all.repetitions) * 1e6);
}
std::string microseconds(double seconds) { return fmt::format("{:.2f}", seconds * 1e6); }

/// The part that these tools don't have: the algorithm, and the placement of processes.
std::string candidate(const Case& what) {
  std::string text = fmt::format("{}, {} x {}, mapping {}", to_text(what.variant), what.nodes,
                                 what.procs_per_node, to_text(what.mapping));
  if (what.op != Op::none) text += fmt::format(", op {}", kOps.of(what.op));
  for (const std::string& each : particulars(what)) text += ", " + each;
  return text;
}

std::string osu_heading(const Case& what) {
  return fmt::format("# MPI {} Latency of {}, {} processes\n# Datatype: {}",
                     mpi_name(what.collective), candidate(what), what.procs,
                     kDatatypes.of(what.datatype));
}

std::string imb_heading(const Case& what) {
  return fmt::format("# Benchmarking {} of {}, datatype {}\n# #processes = {}",
                     mpi_name(what.collective), candidate(what), kDatatypes.of(what.datatype),
                     what.procs);
}

std::string repro_heading(const Case& what) {
  return fmt::format("#@algorithm={}\n#@datatype={}\n#@nprocs={}", candidate(what),
                     kDatatypes.of(what.datatype), what.procs);
}

Cells bytes_key(const Case& what) { return {fmt::to_string(what.message.value)}; }

Cells repro_key(const Case& what) {
  return {"MPI_" + mpi_name(what.collective),
          fmt::to_string(what.message.value / extent(what.datatype).value)};
}

std::optional<Cells> osu_cells(const CaseHistory& history, ShowFormat) {
  const auto all = over_ranks(history);
  if (!all) return std::nullopt;
  return Cells{average(*all), microseconds(all->min), microseconds(all->max),
               fmt::to_string(all->repetitions)};
}

std::optional<Cells> imb_cells(const CaseHistory& history, ShowFormat) {
  const auto all = over_ranks(history);
  if (!all) return std::nullopt;
  return Cells{fmt::to_string(all->repetitions), microseconds(all->min), microseconds(all->max),
               average(*all)};
}

std::optional<Cells> repro_cells(const CaseHistory& history, ShowFormat) {
  if (history.samples.empty()) return std::nullopt;
  std::size_t total = history.samples.size();
  for (const results::StoredMeasurement& launch : history.launches)
    total += static_cast<std::size_t>(launch.invalid);
  const auto [least, greatest] = std::ranges::minmax(history.samples);
  const double sum = std::accumulate(history.samples.begin(), history.samples.end(), 0.0);
  const auto seconds = [](double value) { return fmt::format("{:.10f}", value); };
  return Cells{fmt::to_string(total),
               fmt::to_string(history.samples.size()),
               seconds(sum / static_cast<double>(history.samples.size())),
               seconds(stats::median(history.samples)),
               seconds(least),
               seconds(greatest)};
}

}  // namespace

const Statistic kOsuStatistic{
    .name = "osu",
    .legend =
        "as OSU prints: each rank's mean duration; its mean, minimum and maximum over ranks and "
        "launches, in us",
    .by_candidate = true,
    .heading = osu_heading,
    .key_columns = {"# Size"},
    .key = bytes_key,
    .columns = {"Avg Latency(us)", "Min Latency(us)", "Max Latency(us)", "Iterations"},
    .csv_columns = {"osu_avg_latency_us", "osu_min_latency_us", "osu_max_latency_us",
                    "osu_iterations"},
    .cells = osu_cells};

const Statistic kImbStatistic{
    .name = "imb",
    .legend =
        "as IMB prints: each rank's mean duration; its minimum, maximum and mean over ranks and "
        "launches, in us",
    .by_candidate = true,
    .heading = imb_heading,
    .key_columns = {"#bytes"},
    .key = bytes_key,
    .columns = {"#repetitions", "t_min[usec]", "t_max[usec]", "t_avg[usec]"},
    .csv_columns = {"imb_repetitions", "imb_t_min_us", "imb_t_max_us", "imb_t_avg_us"},
    .cells = imb_cells};

const Statistic kReproStatistic{
    .name = "repro",
    .legend =
        "as ReproMPI summarises: the slowest rank's duration over all repetitions of all "
        "launches, in s; count in elements",
    .by_candidate = true,
    .needs_samples = true,
    .heading = repro_heading,
    .key_columns = {"test", "count"},
    .key = repro_key,
    .columns = {"total_nrep", "valid_nrep", "mean_sec", "median_sec", "min_sec", "max_sec"},
    .csv_columns = {"repro_total_nrep", "repro_valid_nrep", "repro_mean_s", "repro_median_s",
                    "repro_min_s", "repro_max_s"},
    .cells = repro_cells};

}  // namespace breakeven::cli
