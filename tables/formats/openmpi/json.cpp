// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "tables/formats/common/choices.hpp"
#include "tables/formats/common/description.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/tuned.hpp"

namespace breakeven::formats::openmpi {

namespace {

std::string in_json(std::string_view text) { return nlohmann::json(text).dump(); }

/// @param end  the size from which on the next rule holds; null: none does
std::string size_rule(const SizeRange& size, const SizeRange* end) {
  const libraries::openmpi::RuledAlgorithm& algorithm = size.algorithm;
  std::string text = fmt::format(
      "        {{\"msg_size_min\": {}, \"msg_size_max\": {}, \"alg\": {}", size.from_bytes,
      end == nullptr ? "\"inf\"" : fmt::format("{}", end->from_bytes - 1), in_json(algorithm.name));
  if (algorithm.fanout != 0) text += fmt::format(", \"faninout\": {}", algorithm.fanout);
  if (algorithm.segment_bytes != 0) {
    text += fmt::format(", \"seg_size\": {}", algorithm.segment_bytes);
  }
  if (algorithm.max_requests) text += fmt::format(", \"reqs\": {}", *algorithm.max_requests);
  return text + '}';
}

std::string collective_rules(const CollectiveRanges& ranges) {
  std::vector<std::string> rules;
  for (const ProcsRange& procs : ranges.procs) {
    std::vector<std::string> sizes;
    for (auto size = procs.sizes.begin(); size != procs.sizes.end(); ++size) {
      if (size->algorithm.name.empty()) continue;
      const auto next = std::next(size);
      sizes.push_back(size_rule(*size, next == procs.sizes.end() ? nullptr : &*next));
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

/// The file; each rule on a line of its own.
std::string text_of(const std::vector<std::string>& head,
                    const std::vector<CollectiveRanges>& ranges) {
  std::vector<std::string> lines;
  for (const std::string& line : head) lines.push_back("    " + in_json(line));
  std::vector<std::string> collectives;
  for (const CollectiveRanges& each : ranges) collectives.push_back(collective_rules(each));
  return fmt::format(
      "{{\n  \"breakeven\": [\n{}\n  ],\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n"
      "  \"collectives\": {{\n{}\n  }}\n}}\n",
      fmt::join(lines, ",\n"), fmt::join(collectives, ",\n"));
}

}  // namespace

std::optional<std::string> unfit_for_json(const libraries::openmpi::Version& version) {
  if (version.major >= libraries::openmpi::kFirstMajorWithJson) return std::nullopt;
  return fmt::format(
      "Open MPI reads rules in JSON from {} on, and this one is {}.{}.{}: write "
      "openmpi_rules for it",
      libraries::openmpi::kFirstMajorWithJson, version.major, version.minor, version.release);
}

Emitted emit_json(const tables::Table& table, const tables::Provenance& provenance) {
  TunedRules rules = tuned_rules(table, provenance, "openmpi_json", unfit_for_json);
  std::vector<std::string> head{
      "Breakeven's choice among the algorithms of Open MPI: rules for its component coll/tuned."};
  const auto append = [&](const std::vector<std::string>& lines) {
    head.insert(head.end(), lines.begin(), lines.end());
  };
  append(describe(table, provenance));
  append(tuned_directions(rules.version, table.on_several_nodes()));
  if (!rules.degraded.empty()) head.emplace_back("Limits of this file:");
  append(rules.degraded);
  std::set<Collective> approximate = approximate_in(rules.ranges);
  append(approximate_lines(table, approximate));
  return {.text = text_of(head, rules.ranges),
          .degraded = std::move(rules.degraded),
          .approximate = std::move(approximate)};
}

}  // namespace breakeven::formats::openmpi
