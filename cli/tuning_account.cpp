// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tuning_account.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "cli/show.hpp"

namespace breakeven::cli {

namespace {

/// Empty where no saving is known.
std::string savings_text(const TuningAccount& account) {
  std::vector<std::string> savings;
  double least_s = std::numeric_limits<double>::infinity();
  const auto add = [&](double saved_s, std::string_view by) {
    savings.push_back(fmt::format("{:.3g} s by {}", saved_s, by));
    least_s = std::min(least_s, saved_s);
  };
  if (account.in_calls) add(account.in_calls->least_s, "the program's own calls");
  if (account.by_speedups_s) add(*account.by_speedups_s, "their speedups");
  if (savings.empty()) return "";
  const bool lost = account.in_calls && account.in_calls->most_s < 0;
  return fmt::format("; the tables saved {}: {}", fmt::join(savings, ", "),
                     least_s > account.tuning.value ? "it paid"
                     : lost ? "it did not pay, and the next jobs keep the default"
                            : "it did not pay in this job");
}

}  // namespace

std::string to_text(const TuningAccount& account) {
  std::vector<Cells> cells;
  for (const session::TuningStep& step : account.steps)
    cells.push_back({step.name, fmt::format("{:.4g}", step.took.value), step.outcome});
  return fmt::format("{}\ntuning took {:.3g} s of the job's {:.4g} s, {:.1f} %{}",
                     to_table({"step", "time_s", "outcome"}, cells), account.tuning.value,
                     account.whole.value, 100 * account.tuning.value / account.whole.value,
                     savings_text(account));
}

}  // namespace breakeven::cli
