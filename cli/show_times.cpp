// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

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
  for (const std::string& each : particulars(what)) text += ", " + each;
  return text;
}

Cells key(const Case& what) { return {to_text(what.message), to_text(what.variant)}; }

std::string notes_on(const CaseHistory& history) {
  Cells notes;
  bool oversubscribed = false;
  for (const results::StoredMeasurement& launch : history.launches)
    oversubscribed |= launch.measurement.oversubscribed;
  if (oversubscribed) notes.emplace_back("oversubscribed");
  for (const std::string& reason : history.failures) notes.push_back("failed: " + reason);
  if (history.own_choice) {
    notes.push_back(fmt::format("runs {}, derived from its trees", to_text(*history.own_choice)));
  }
  const tuner::Candidate* const candidate =
      history.contest == nullptr ? nullptr : history.contest->find(history.what);
  if (candidate != nullptr && candidate->launches == 0) {
    notes.emplace_back("in no launch with native: not comparable");
  }
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::string duration(double seconds, ShowFormat format) {
  return format == ShowFormat::csv ? fmt::format("{}", seconds) : to_text(Seconds{seconds});
}

/// Launches, samples, outliers and notes: the end of each row.
void append_history(Cells& cells, const CaseHistory& history, ShowFormat format) {
  std::int64_t samples = 0;
  std::optional<int> outliers;
  for (const results::StoredMeasurement& launch : history.launches) {
    samples += launch.measurement.samples;
    if (launch.outliers) outliers = outliers.value_or(0) + *launch.outliers;
  }
  cells.push_back(fmt::to_string(history.launches.size()));
  cells.push_back(fmt::to_string(samples));
  cells.push_back(outliers ? fmt::to_string(*outliers) : format == ShowFormat::csv ? "" : "-");
  cells.push_back(notes_on(history));
}

std::optional<Cells> median_cells(const CaseHistory& history, ShowFormat format) {
  const std::string unknown = format == ShowFormat::csv ? "" : "-";
  Cells cells(3, unknown);
  std::vector<double> medians;
  for (const results::StoredMeasurement& launch : history.launches)
    medians.push_back(launch.measurement.median.value);
  if (!medians.empty()) {
    const stats::Estimate estimate = stats::estimate_median(medians);
    cells[0] = duration(estimate.median, format);
    if (estimate.count > 1) {
      cells[1] = duration(estimate.low, format);
      cells[2] = duration(estimate.high, format);
    } else if (format == ShowFormat::text) {
      cells[1] = "one";
      cells[2] = "launch";
    }
  }
  append_history(cells, history, format);
  return cells;
}

Cells csv_times(const CaseHistory& history) {
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  Cells cells(6);
  if (history.contest == nullptr) return cells;
  const tuner::Candidate& candidate = *history.contest->find(history.what);
  const tuner::AdjustedTime time = history.contest->time_of(candidate);
  cells[0] = number(time.time.value);
  if (time.low) cells[1] = number(time.low->value);
  if (time.high) cells[2] = number(time.high->value);
  if (const auto speedup = candidate.speedup()) {
    cells[3] = number(speedup->ratio);
    if (candidate.native() || history.contest->noise_known) {
      cells[4] = number(speedup->low);
      cells[5] = number(speedup->high);
    }
  }
  return cells;
}

Cells text_times(const CaseHistory& history) {
  if (history.contest == nullptr) return {"-", "not measured", "-", "-"};
  const tuner::Candidate& candidate = *history.contest->find(history.what);
  const tuner::AdjustedTime time = history.contest->time_of(candidate);
  Cells cells{to_text(time.time), "one launch", "-", "no native"};
  if (time.low) cells[1] = fmt::format("{} to {}", to_text(*time.low), to_text(*time.high));
  if (const auto speedup = candidate.speedup()) {
    cells[2] = fmt::format("{:.2f}", speedup->ratio);
    cells[3] = candidate.native() ? "by definition"
               : history.contest->noise_known
                   ? fmt::format("{:.2f} to {:.2f}", speedup->low, speedup->high)
                   : "one launch";
  }
  return cells;
}

std::optional<Cells> time_cells(const CaseHistory& history, ShowFormat format) {
  Cells cells = format == ShowFormat::csv ? csv_times(history) : text_times(history);
  append_history(cells, history, format);
  return cells;
}

/// The median of a value over launches, and its interval: one cell, in CSV two.
void append_estimate(Cells& cells, const std::vector<double>& values, ShowFormat format,
                     std::string (*text)(double)) {
  const bool csv = format == ShowFormat::csv;
  if (values.empty()) {
    cells.insert(cells.end(), csv ? 3 : 2, csv ? "" : "-");
    return;
  }
  const stats::Estimate estimate = stats::estimate_median(values);
  const bool one = estimate.count == 1;
  if (csv) {
    cells.push_back(fmt::format("{}", estimate.median));
    cells.push_back(one ? "" : fmt::format("{}", estimate.low));
    cells.push_back(one ? "" : fmt::format("{}", estimate.high));
  } else {
    cells.push_back(text(estimate.median));
    cells.push_back(one ? "one launch"
                        : fmt::format("{} to {}", text(estimate.low), text(estimate.high)));
  }
}

/// In each launch of both, the number of calls after which it pays to have made a persistent one of
/// the library's: ours are bound alike in both forms. Infinite where it does not.
std::vector<double> pays_after(const CaseHistory& history) {
  std::vector<double> calls;
  if (history.nonblocking == nullptr || history.what.variant.ours() != nullptr) return calls;
  std::map<std::int64_t, double> others;
  for (const results::StoredMeasurement& each : history.nonblocking->launches)
    others[each.measurement.launch] = each.measurement.median.value;
  for (const results::StoredMeasurement& each : history.launches) {
    const auto other = others.find(each.measurement.launch);
    if (other == others.end() || !each.overlap || !each.overlap->make) continue;
    const double gain = other->second - each.measurement.median.value;
    calls.push_back(gain > 0 ? std::ceil(each.overlap->make->value / gain)
                             : std::numeric_limits<double>::infinity());
  }
  return calls;
}

std::optional<Cells> overlap_cells(const CaseHistory& history, ShowFormat format) {
  std::vector<double> starts;
  std::vector<double> makes;
  std::vector<double> hidden;
  std::vector<double> tested;
  std::set<double> test_every;
  for (const results::StoredMeasurement& launch : history.launches) {
    if (!launch.overlap) continue;
    const Overlap& overlap = *launch.overlap;
    starts.push_back(overlap.start.value);
    if (overlap.make) makes.push_back(overlap.make->value);
    hidden.push_back(hidden_share(overlap, overlap.worked));
    tested.push_back(hidden_share(overlap, overlap.tested));
    test_every.insert(overlap.test_every.value);
  }
  if (starts.empty()) return std::nullopt;
  const auto time = [](double seconds) { return to_text(Seconds{seconds}); };
  const auto share = [](double value) { return fmt::format("{:.2f}", value); };
  const auto number = [](double value) {
    return std::isinf(value) ? std::string{"never"} : fmt::format("{:.0f}", value);
  };
  Cells cells;
  append_estimate(cells, starts, format, time);
  append_estimate(cells, makes, format, time);
  append_estimate(cells, pays_after(history), format, number);
  append_estimate(cells, hidden, format, share);
  append_estimate(cells, tested, format, share);
  const bool several = test_every.size() > 1;
  cells.push_back(several ? "several" : duration(*test_every.begin(), format));
  append_history(cells, history, format);
  return cells;
}

}  // namespace

const Statistic kOverlapStatistic{
    .name = "overlap",
    .legend =
        "start: time in the call that starts it; make: to make and free a persistent one, which "
        "pays after so many calls instead of nonblocking ones\n"
        "# overlap: the share of the call or of the work, whichever is shorter, that the other one "
        "hides; tested: with tests in the work; medians over launches, and 95 % intervals",
    .heading = heading,
    .key_columns = {"message", "algorithm"},
    .key = key,
    .columns = {"start", "95 % interval", "make", "95 % interval", "pays after", "95 % interval",
                "overlap", "95 % interval", "tested", "95 % interval", "test every", "launches",
                "samples", "outliers", "notes"},
    .csv_columns = {"start_s",
                    "start_low_s",
                    "start_high_s",
                    "make_s",
                    "make_low_s",
                    "make_high_s",
                    "pays_after",
                    "pays_after_low",
                    "pays_after_high",
                    "overlap",
                    "overlap_low",
                    "overlap_high",
                    "overlap_tested",
                    "overlap_tested_low",
                    "overlap_tested_high",
                    "test_every_s",
                    "launches",
                    "samples",
                    "outliers",
                    "notes"},
    .cells = overlap_cells};

const Statistic kTimeStatistic{
    .name = "time",
    .legend =
        "time in the problem's median launch, without effects of launches on all candidates: "
        "candidates compare\n"
        "# speedup: native's time / this one's, paired by launch; above 1 this one is faster\n"
        "# both with 95 % intervals, fitted to all that was measured; a table is fitted to its\n"
        "# candidates alone, and differs a little; --statistic median: as measured",
    .needs_contest = true,
    .heading = heading,
    .key_columns = {"message", "algorithm"},
    .key = key,
    .columns = {"time", "95 % interval", "speedup", "95 % interval", "launches", "samples",
                "outliers", "notes"},
    .csv_columns = {"time_s", "low_s", "high_s", "speedup", "speedup_low", "speedup_high",
                    "launches", "samples", "outliers", "notes"},
    .cells = time_cells};

const Statistic kMedianStatistic{
    .name = "median",
    .legend =
        "median over launches of each launch's median, as measured: those of different launches "
        "do not compare; low and high cover it with 95 %, or are the whole range of fewer than "
        "six launches",
    .heading = heading,
    .key_columns = {"message", "algorithm"},
    .key = key,
    .columns = {"median", "low", "high", "launches", "samples", "outliers", "notes"},
    .csv_columns = {"median_s", "low_s", "high_s", "launches", "samples", "outliers", "notes"},
    .cells = median_cells};

}  // namespace breakeven::cli
