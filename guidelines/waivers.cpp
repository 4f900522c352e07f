// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/unknown.hpp"
#include "guidelines/catalogue.hpp"
#include "guidelines/evaluate.hpp"

namespace breakeven::guidelines {

namespace {

UsageError wrong(const std::string& file, const toml::source_region& at, std::string_view what) {
  return UsageError(fmt::format("{}:{}: {}", file, at.begin.line, what));
}

Waiver waiver_of(const std::string& file, const toml::table& entry) {
  for (const auto& [key, value] : entry) {
    if (key == "guideline" || key == "reason" || key == "expires") continue;
    throw wrong(file, value.source(),
                unknown("key", key.str(), {"guideline", "reason", "expires"}));
  }
  const auto guideline = entry["guideline"].value<std::string>();
  const auto reason = entry["reason"].value<std::string>();
  const auto expires = entry["expires"].value<toml::date>();
  if (!guideline || !reason || reason->empty() || !expires) {
    throw wrong(file, entry.source(),
                "a waiver has a guideline, a reason and a date on which it expires: "
                "guideline = \"...\", reason = \"...\", expires = 2027-01-31");
  }
  return {.guidelines = find_guidelines(*guideline),
          .reason = *reason,
          .expires = std::chrono::year{expires->year} / std::chrono::month{expires->month} /
                     std::chrono::day{expires->day}};
}

}  // namespace

std::vector<Waiver> read_waivers(const std::string& file) {
  try {
    const toml::table root = toml::parse_file(file);
    std::vector<Waiver> waivers;
    for (const auto& [key, value] : root) {
      if (key != "waiver" || !value.is_array_of_tables()) {
        throw wrong(file, value.source(), unknown("key", key.str(), {"[[waiver]]"}));
      }
      for (const toml::node& each : *value.as_array()) {
        waivers.push_back(waiver_of(file, *each.as_table()));
      }
    }
    return waivers;
  } catch (const toml::parse_error& error) {
    throw wrong(file, error.source(), error.description());
  }
}

std::vector<std::string> waive(Evaluation& evaluation, std::span<const Waiver> waivers,
                               std::chrono::year_month_day today) {
  std::vector<std::string> expired;
  for (const Waiver& waiver : waivers) {
    if (waiver.expires < today) {
      expired.push_back(fmt::format(
          "a waiver of {} expired on {:04}-{:02}-{:02}: {}", waiver.guidelines.front()->name,
          static_cast<int>(waiver.expires.year()), static_cast<unsigned>(waiver.expires.month()),
          static_cast<unsigned>(waiver.expires.day()), waiver.reason));
      continue;
    }
    for (Finding& each : evaluation.findings) {
      if (std::ranges::count(waiver.guidelines, each.comparison.guideline) == 0) continue;
      each.waived = waiver.reason;
    }
  }
  return expired;
}

}  // namespace breakeven::guidelines
