// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/rules.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "tables/formats/common/choices.hpp"
#include "tables/formats/common/description.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/han_rules.hpp"
#include "tables/formats/openmpi/tuned.hpp"

namespace breakeven::formats::openmpi {

namespace {

std::string size_rule(Collective collective, const SizeRange& size,
                      const LibraryCapabilities& capabilities) {
  const libraries::openmpi::RuledAlgorithm& algorithm = size.algorithm;
  return fmt::format("{} {} {} {}{} # {}\n", size.from_bytes,
                     tuned_id(capabilities, collective, algorithm.name), algorithm.fanout,
                     algorithm.segment_bytes,
                     algorithm.max_requests ? fmt::format(" {}", *algorithm.max_requests) : "",
                     algorithm.name.empty() ? kNative : std::string_view{algorithm.name});
}

std::string procs_rule(Collective collective, const ProcsRange& procs,
                       const LibraryCapabilities& capabilities) {
  std::string text =
      fmt::format("{} # processes and more\n{} # message sizes\n", procs.first, procs.sizes.size());
  for (const SizeRange& size : procs.sizes) text += size_rule(collective, size, capabilities);
  return text;
}

/// The part of the file that the library reads; its comments say what the numbers mean.
std::string body_of(const std::vector<CollectiveRanges>& ranges,
                    const LibraryCapabilities& capabilities) {
  std::string text = fmt::format("{} # collectives\n", ranges.size());
  for (const CollectiveRanges& each : ranges) {
    text +=
        fmt::format("{} # {}, by {}\n{} # communicator sizes\n",
                    libraries::openmpi::rules_id(each.collective), kCollectives.of(each.collective),
                    libraries::openmpi::rules_bytes_text(each.collective), each.procs.size() + 1);
    for (const ProcsRange& procs : each.procs)
      text += procs_rule(each.collective, procs, capabilities);
    const int above = each.procs.back().last + 1;
    text += procs_rule(each.collective, {above, above, {SizeRange{}}}, capabilities);
  }
  return text;
}

std::string ids_of(const std::vector<CollectiveRanges>& ranges,
                   const LibraryCapabilities& capabilities) {
  std::vector<std::string> lines;
  for (const CollectiveRanges& each : ranges) {
    std::string line =
        fmt::format("{:<10} {} 0 {}", kIds, kCollectives.of(each.collective), kNative);
    for (const ListedAlgorithm& listed : capabilities.algorithms) {
      if (listed.collective != each.collective || listed.value == 0) continue;
      if (libraries::openmpi::is_han(listed.name)) continue;
      line += fmt::format(" {} {}", listed.value, listed.name);
    }
    lines.push_back(std::move(line));
  }
  return commented("#  ", lines);
}

bool limits_requests(const std::vector<CollectiveRanges>& ranges) {
  for (const CollectiveRanges& each : ranges) {
    for (const ProcsRange& procs : each.procs) {
      for (const SizeRange& size : procs.sizes) {
        if (size.algorithm.max_requests) return true;
      }
    }
  }
  return false;
}

std::string sentences(std::string_view first, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  return fmt::format("#\n# {}\n{}", first, commented("#  ", lines));
}

}  // namespace

std::optional<std::string> unfit_for_rules(const libraries::openmpi::Version& version) {
  if (version < libraries::openmpi::kFirstKnownVersion) {
    return "Open MPI before 4.1 reads message sizes of rules in other units";
  }
  if (version.major >= libraries::openmpi::kFirstMajorWithJson) {
    return fmt::format(
        "Open MPI from {} on moves communicator sizes of such a file by one entry: "
        "write openmpi_json for it",
        libraries::openmpi::kFirstMajorWithJson);
  }
  return std::nullopt;
}

Emitted emit_rules(const tables::Table& table, const tables::Provenance& provenance) {
  TunedRules rules = tuned_rules(table, provenance, "openmpi_rules", unfit_for_rules);
  std::set<Collective> approximate = approximate_in(rules.ranges);
  const bool requests = limits_requests(rules.ranges);
  const std::string text =
      (requests ? fmt::format("{}2\n", kVersionLine) : "") +
      "# Breakeven's choice among the algorithms of Open MPI: rules for its component coll/tuned.\n"
      "#\n" +
      commented("#  ", describe(table, provenance)) +
      ids_of(rules.ranges, provenance.capabilities) + "#\n" +
      commented("#", tuned_directions(rules.version, table.on_several_nodes())) +
      sentences("Limits of this file:", rules.degraded) + "#\n" +
      commented("#", approximate_lines(table, approximate)) +
      "# Of a rule: least message size, algorithm (0: the library decides), fan-out, segment "
      "bytes" +
      (requests ? ", limit of requests" : "") + ".\n" +
      body_of(rules.ranges, provenance.capabilities);
  return {
      .text = text, .degraded = std::move(rules.degraded), .approximate = std::move(approximate)};
}

bool is_rules(std::string_view text) {
  const std::vector<Word> words = words_of(text);
  if (words.empty() || is_han_rules(text)) return false;
  const std::string& first = words.front().text;
  return first.starts_with(kVersionLine) || (first.front() >= '0' && first.front() <= '9');
}

}  // namespace breakeven::formats::openmpi
