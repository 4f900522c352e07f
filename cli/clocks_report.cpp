// SPDX-License-Identifier: BSD-3-Clause
#include "cli/clocks_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "stats/median.hpp"

namespace breakeven::cli {

namespace {

using Offsets = std::span<const protocol::ClockOffset>;

/// Median and maximum over ranks of one reading.
struct Errors {
  double median = 0;
  double most = 0;
};

template <typename Value>
Errors errors(Offsets reading, const Value& value) {
  std::vector<double> sizes;
  for (const protocol::ClockOffset& offset : reading) sizes.push_back(std::abs(value(offset)));
  return {.median = stats::median(sizes), .most = std::ranges::max(sizes)};
}

double measured(const protocol::ClockOffset& offset) { return offset.offset.value; }
double truth(const protocol::ClockOffset& offset) { return offset.truth.value_or(Seconds{}).value; }

/// A method's first and last reading, one offset of each rank.
struct Ends {
  Offsets first;
  Offsets last;
};

Ends ends_of(const session::WatchedClock& clock) {
  const Offsets all{clock.offsets};
  const auto ranks =
      static_cast<std::size_t>(std::ranges::max(all, {}, &protocol::ClockOffset::rank).rank);
  return {.first = all.first(ranks), .last = all.last(ranks)};
}

/// The fastest that a rank's clock moved away from rank 0's, in microseconds per second.
std::string drift_text(const Ends& ends) {
  double most = 0;
  for (std::size_t i = 0; i < ends.first.size(); ++i) {
    const double time = ends.last[i].elapsed.value - ends.first[i].elapsed.value;
    if (time <= 0) return "-";
    most = std::max(most, std::abs(measured(ends.last[i]) - measured(ends.first[i])) / time);
  }
  return fmt::format("{:.3g}", 1e6 * most);
}

std::string pair_text(const Errors& errors) {
  return fmt::format("{:>9} {:>9}", to_text(Seconds{errors.median}), to_text(Seconds{errors.most}));
}

std::string row(const session::WatchedClock& clock) {
  const Ends ends = ends_of(clock);
  const bool known = ends.last.front().truth.has_value();
  return fmt::format("{:<10} {:>10}   {}   {}   {:>8}   {}\n", kClockSyncs.of(clock.synced.clock),
                     to_text(clock.synced.duration), pair_text(errors(ends.first, measured)),
                     pair_text(errors(ends.last, measured)), drift_text(ends),
                     known ? pair_text(errors(ends.last, truth)) : "unknown");
}

}  // namespace

std::string clocks_table(const std::vector<session::WatchedClock>& clocks) {
  std::string table =
      fmt::format("{:<10} {:>10}   {:^19}   {:^19}   {:>8}   {:^19}\n", "", "time to",
                  "error right after", "error at the end", "drift", "truth at the end");
  table +=
      fmt::format("{:<10} {:>10}   {:>9} {:>9}   {:>9} {:>9}   {:>8}   {:>9} {:>9}\n", "clock",
                  "synchronise", "median", "max", "median", "max", "max, ppm", "median", "max");
  double uncertainty = 0;
  double longest = 0;
  bool known = true;
  for (const session::WatchedClock& clock : clocks) {
    table += row(clock);
    const Offsets last = ends_of(clock).last;
    uncertainty = errors(last, [](const protocol::ClockOffset& each) {
                    return each.round_trip.value / 2;
                  }).most;
    longest = std::max(longest, last.front().elapsed.value);
    known = known && last.front().truth.has_value();
  }
  table += fmt::format(
      "\nError: of the global clock of every rank but 0, against rank 0's clock, over ranks; known "
      "to {}\n(half of a message there and back) by measuring. The end: {} after the first "
      "synchronisation.\n",
      to_text(Seconds{uncertainty}), to_text(Seconds{longest}));
  table += known ? "Truth: all ranks are on one node, whose CLOCK_MONOTONIC they share.\n"
                 : "Truth: unknown, as the ranks are on several nodes.\n";
  return table;
}

std::string clocks_csv(const std::vector<session::WatchedClock>& clocks) {
  std::string csv = "clock,synchronised_in_s,rank,elapsed_s,offset_s,round_trip_s,truth_s\n";
  for (const session::WatchedClock& clock : clocks) {
    for (const protocol::ClockOffset& offset : clock.offsets) {
      csv += fmt::format("{},{},{},{},{},{},{}\n", kClockSyncs.of(offset.clock),
                         clock.synced.duration.value, offset.rank, offset.elapsed.value,
                         offset.offset.value, offset.round_trip.value,
                         offset.truth ? fmt::format("{}", offset.truth->value) : "");
    }
  }
  return csv;
}

}  // namespace breakeven::cli
