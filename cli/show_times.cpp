// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/show.hpp"
#include "stats/median.hpp"

namespace breakeven::cli {

namespace {

std::string heading(const Case& what) {
  std::string text =
      fmt::format("{} p = {}: {} {} of {}, mapping {}, {}", kCollectives.of(what.collective),
                  what.procs, what.nodes, what.nodes == 1 ? "node" : "nodes", what.procs_per_node,
                  to_text(what.mapping), kDatatypes.of(what.datatype));
  if (what.op != Op::none) text += fmt::format(" {}", kOps.of(what.op));
  if (what.root != Rank{}) text += fmt::format(", root {}", what.root.value);
  if (what.counts != Counts::equal) text += fmt::format(", {} counts", kCounts.of(what.counts));
  return text;
}

Cells key(const Case& what) { return {to_text(what.message), variant_text(what)}; }

std::string notes_on(const CaseHistory& history) {
  Cells notes;
  bool oversubscribed = false;
  for (const results::StoredMeasurement& launch : history.launches)
    oversubscribed |= launch.measurement.oversubscribed;
  if (oversubscribed) notes.emplace_back("oversubscribed");
  for (const std::string& reason : history.failures) notes.push_back("failed: " + reason);
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::string duration(double seconds, ShowFormat format) {
  return format == ShowFormat::csv ? fmt::format("{}", seconds) : to_text(Seconds{seconds});
}

std::optional<Cells> cells(const CaseHistory& history, ShowFormat format) {
  const std::string unknown = format == ShowFormat::csv ? "" : "-";
  Cells cells(3, unknown);
  std::vector<double> medians;
  std::int64_t samples = 0;
  std::optional<int> outliers;
  for (const results::StoredMeasurement& launch : history.launches) {
    medians.push_back(launch.measurement.median.value);
    samples += launch.measurement.samples;
    if (launch.outliers) outliers = outliers.value_or(0) + *launch.outliers;
  }
  if (!medians.empty()) {
    const stats::Estimate estimate = stats::estimate_median(medians);
    cells[0] = duration(estimate.median, format);
    if (estimate.count > 1) {  // one launch has no interval
      cells[1] = duration(estimate.low, format);
      cells[2] = duration(estimate.high, format);
    }
  }
  cells.push_back(fmt::to_string(medians.size()));
  cells.push_back(fmt::to_string(samples));
  cells.push_back(outliers ? fmt::to_string(*outliers) : unknown);
  cells.push_back(notes_on(history));
  return cells;
}

}  // namespace

const Statistic& median_statistic() {
  static const Statistic statistic{
      .name = "median",
      .legend =
          "median over launches of each launch's median; low and high cover it with 95 %, or "
          "are the whole range of fewer than six launches",
      .by_candidate = false,
      .needs_samples = false,
      .heading = heading,
      .key_columns = {"message", "algorithm"},
      .key = key,
      .columns = {"median", "low", "high", "launches", "samples", "outliers", "notes"},
      .csv_columns = {"median_s", "low_s", "high_s", "launches", "samples", "outliers", "notes"},
      .cells = cells};
  return statistic;
}

}  // namespace breakeven::cli
