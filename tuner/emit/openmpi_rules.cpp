// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/openmpi_rules.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "tuner/emit/head.hpp"
#include "tuner/emit/openmpi_rules_text.hpp"
#include "tuner/emit/openmpi_tuned.hpp"

namespace breakeven {

namespace {

std::string size_rule(Collective collective, const SizeRange& size, const LibraryOffer& offer) {
  const openmpi::RuledAlgorithm ruled = openmpi::ruled(collective, size.variant);
  return fmt::format("{} {} {} {} # {}\n", size.from_bytes, tuned_id(offer, collective, ruled.name),
                     ruled.fanout, ruled.segment_bytes,
                     ruled.name.empty() ? kNative : std::string_view{ruled.name});
}

std::string procs_rule(Collective collective, const ProcsRange& procs, const LibraryOffer& offer) {
  std::string text =
      fmt::format("{} # processes and more\n{} # message sizes\n", procs.first, procs.sizes.size());
  for (const SizeRange& size : procs.sizes) text += size_rule(collective, size, offer);
  return text;
}

std::string ids_of(const std::vector<CollectiveRanges>& ranges, const LibraryOffer& offer) {
  std::vector<std::string> lines;
  for (const CollectiveRanges& each : ranges) {
    std::string line = fmt::format("{:<10} {} 0 {}", openmpi_rules_text::kIds,
                                   kCollectives.of(each.collective), kNative);
    for (const ListedAlgorithm& listed : offer.algorithms) {
      if (listed.collective != each.collective || listed.value == 0) continue;
      line += fmt::format(" {} {}", listed.value, listed.name);
    }
    lines.push_back(std::move(line));
  }
  return commented("#  ", lines);
}

std::string sentences(std::string_view first, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  return fmt::format("#\n# {}\n{}", first, commented("#  ", lines));
}

}  // namespace

std::string openmpi_rules_text::body(const std::vector<CollectiveRanges>& ranges,
                                     const LibraryOffer& offer) {
  std::string text = fmt::format("{} # collectives\n", ranges.size());
  for (const CollectiveRanges& each : ranges) {
    text += fmt::format("{} # {}, by {}\n{} # communicator sizes\n",
                        openmpi::rules_id(each.collective), kCollectives.of(each.collective),
                        openmpi::rules_bytes_words(each.collective), each.procs.size() + 1);
    for (const ProcsRange& procs : each.procs) text += procs_rule(each.collective, procs, offer);
    const int above = each.procs.back().last + 1;
    text += procs_rule(each.collective, {above, above, {{0, std::string{kNative}}}}, offer);
  }
  return text;
}

Emitted openmpi_rules(const Table& table, const Provenance& provenance) {
  TunedRules rules = tuned_rules(table, provenance, "openmpi_rules");
  if (const auto reason = openmpi_rules_text::unfit(rules.version)) throw UsageError(*reason);
  const std::string text =
      "# Breakeven's choice among the algorithms of Open MPI: rules for its component coll/tuned.\n"
      "#\n" +
      commented("#  ", describe(table, provenance)) + ids_of(rules.ranges, provenance.offer) +
      "#\n" + commented("#", tuned_directions(rules.version, "openmpi_rules.conf")) +
      sentences("What this file can't say, or must not:", rules.degraded) +
      "#\n"
      "# Of a rule: least message size, algorithm (0: the library decides), fan-out, segment "
      "bytes.\n" +
      openmpi_rules_text::body(rules.ranges, provenance.offer);
  return {.text = text, .degraded = std::move(rules.degraded)};
}

}  // namespace breakeven
