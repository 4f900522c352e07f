// SPDX-License-Identifier: BSD-3-Clause
#include "cli/profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "core/files.hpp"

namespace breakeven::cli {

tables::Profile profile_in(const std::string& file) {
  const std::string text = read_file(file);
  try {
    return tables::read_profile(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", file, error.what()));
  }
}

std::string covered_text(const std::string& file, const ProgramTime& time,
                         const tables::Table& table) {
  const Seconds all = total(time);
  double covered_s = 0;
  std::set<std::string> called;
  for (const auto& [calls, seconds] : time) {
    const auto answers = [&](const tables::Rule& rule) {
      return rule.what.collective == calls.collective && rule.what.procs == calls.procs &&
             rule.what.mapping == calls.mapping;
    };
    if (std::ranges::any_of(table.rules, answers)) covered_s += seconds.value;
    called.insert(fmt::format("{} at p = {} {}", kCollectives.of(calls.collective), calls.procs,
                              to_text(calls.mapping)));
  }
  if (covered_s == 0) {
    throw UsageError(
        fmt::format("{}: nothing that the program calls was measured; it calls: {}", file,
                    called.empty() ? "none" : fmt::format("{}", fmt::join(called, ", "))));
  }
  return fmt::format(
      "Weighed by {}: of the {} that the program spends in collectives, {:.0f} % are at the "
      "collectives, p and mappings of this table\n",
      file, to_text(all), 100 * covered_s / all.value);
}

}  // namespace breakeven::cli
