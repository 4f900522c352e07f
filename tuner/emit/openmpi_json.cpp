// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/openmpi_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "tuner/emit/areas.hpp"
#include "tuner/emit/openmpi_json_text.hpp"
#include "tuner/emit/openmpi_tuned.hpp"

namespace breakeven {

namespace {

std::string in_json(std::string_view text) { return nlohmann::json(text).dump(); }

std::string size_rule(const Area& area) {
  const openmpi::RuledAlgorithm ruled = openmpi::ruled(area.collective, area.variant);
  std::string text = fmt::format(
      "        {{\"msg_size_min\": {}, \"msg_size_max\": {}, \"alg\": {}", area.from_bytes,
      area.to_bytes == kAllBytes ? "\"inf\"" : fmt::format("{}", area.to_bytes),
      in_json(ruled.name));
  if (ruled.fanout != 0) text += fmt::format(", \"faninout\": {}", ruled.fanout);
  if (ruled.segment_bytes != 0) text += fmt::format(", \"seg_size\": {}", ruled.segment_bytes);
  return text + '}';
}

std::string collective_rules(const CollectiveRanges& ranges) {
  std::vector<std::string> rules;
  for (const ProcsRange& procs : ranges.procs) {
    std::vector<std::string> sizes;
    for (const Area& area : areas_of({{ranges.collective, {procs}}})) {
      sizes.push_back(size_rule(area));
    }
    if (sizes.empty()) continue;
    rules.push_back(fmt::format(
        "      {{\"comm_size_min\": {}, \"comm_size_max\": {}, \"comm_rank_distribution\": "
        "\"any\", \"rules\": [\n{}\n      ]}}",
        procs.first, procs.last, fmt::join(sizes, ",\n")));
  }
  return fmt::format("    {}: [\n{}\n    ]", in_json(kCollectives.of(ranges.collective)),
                     fmt::join(rules, ",\n"));
}

}  // namespace

std::string openmpi_json_text::whole(const std::vector<std::string>& head,
                                     const std::vector<CollectiveRanges>& ranges) {
  std::vector<std::string> lines;
  lines.reserve(head.size());
  for (const std::string& line : head) lines.push_back("    " + in_json(line));
  std::vector<std::string> collectives;
  collectives.reserve(ranges.size());
  for (const CollectiveRanges& each : ranges) collectives.push_back(collective_rules(each));
  return fmt::format(
      "{{\n  \"breakeven\": [\n{}\n  ],\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n"
      "  \"collectives\": {{\n{}\n  }}\n}}\n",
      fmt::join(lines, ",\n"), fmt::join(collectives, ",\n"));
}

Emitted openmpi_json(const Table& table, const Provenance& provenance) {
  TunedRules rules = tuned_rules(table, provenance, "openmpi_json");
  if (const auto reason = openmpi_json_text::unfit(rules.version)) throw UsageError(*reason);
  std::vector<std::string> head{
      "Breakeven's choice among the algorithms of Open MPI: rules for its component coll/tuned."};
  const auto append = [&](const std::vector<std::string>& lines) {
    head.insert(head.end(), lines.begin(), lines.end());
  };
  append(describe(table, provenance));
  append(tuned_directions(rules.version, "openmpi_rules.json"));
  if (!rules.degraded.empty()) head.emplace_back("What this file can't say, or must not:");
  append(rules.degraded);
  return {.text = openmpi_json_text::whole(head, rules.ranges),
          .degraded = std::move(rules.degraded)};
}

}  // namespace breakeven
