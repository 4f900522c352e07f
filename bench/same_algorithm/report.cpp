// SPDX-License-Identifier: BSD-3-Clause
#include "bench/same_algorithm/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/names.hpp"

namespace breakeven::bench {

namespace {

void print_row(const Case& ours, std::string_view rest) {
  fmt::print("{:>8}  {}\n", to_text(ours.message), rest);
  std::fflush(stdout);
}

}  // namespace

Report::Report(int procs, int rounds, bool prints) : prints_{prints} {
  if (!prints_) return;
  fmt::print("Ours beside those of {} at p = {}, doubles, sums; medians of {} rounds.\n",
             kLibrary.name, procs, rounds);
}

void Report::begin(const Pair& pair) const {
  if (!prints_) return;
  fmt::print("\n{}: {}, in the library {}\n{:>8}  {:>8}  {:>8}  {:>6}  interval, coverage\n",
             kCollectives.of(pair.collective), pair.ours, pair.library, "size", "ours", "library",
             "ratio");
}

void Report::point(const Case& ours, const Comparison& comparison) {
  const stats::Estimate& ratio = comparison.ratio;
  ratios_.push_back({ours, ratio.median});
  if (!prints_) return;
  print_row(ours, fmt::format("{:>8}  {:>8}  {:>6.3f}  {:.3f} to {:.3f}, {:.0f} %",
                              to_text(comparison.ours), to_text(comparison.library), ratio.median,
                              ratio.low, ratio.high, 100 * ratio.coverage));
}

void Report::skipped(const Case& ours, std::string_view why) const {
  if (prints_) print_row(ours, why);
}

void Report::summary() const {
  if (!prints_) return;
  fmt::print("\n");
  for (const auto& [collective, name] : kCollectives.entries) {
    std::vector<Ratio> own;
    std::ranges::copy_if(
        ratios_, std::back_inserter(own),
        [wanted = collective](const Ratio& each) { return each.what.collective == wanted; });
    summary(name, own);
  }
  summary("all", ratios_);
}

void Report::summary(std::string_view name, const std::vector<Ratio>& ratios) const {
  if (ratios.empty()) return;
  double logarithms = 0;
  for (const Ratio& each : ratios) logarithms += std::log(each.value);
  const Ratio& largest = *std::ranges::max_element(ratios, {}, &Ratio::value);
  fmt::print("{:<20}  {:>3} points  geometric mean {:.3f}  largest {:.3f} of {}\n", name,
             ratios.size(), std::exp(logarithms / static_cast<double>(ratios.size())),
             largest.value, to_text(largest.what));
}

}  // namespace breakeven::bench
