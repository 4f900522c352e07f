// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/han_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/choices.hpp"
#include "tables/formats/common/description.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/area.hpp"
#include "tables/formats/openmpi/tuned.hpp"

namespace breakeven::formats::openmpi {

namespace {

constexpr std::string_view kFormat = "openmpi_han_rules";

/// coll/han looks at the vector, or at one block, in place too: as MPI's count argument has it.
std::int64_t han_bytes(const Case& choice) { return choice.message.value; }

/// The rules of coll/han: it runs one of its algorithms, or hands over to coll/tuned where that
/// one's rules name an algorithm.
std::vector<CollectiveRanges> han_ranges(const tables::Table& table,
                                         const std::vector<Area>& tuned) {
  const auto rule_for = [&](const Case& choice) {
    libraries::openmpi::RuledAlgorithm algorithm;
    const std::string_view name = choice.variant.library()->name;
    if (choice.nodes == 1 || !libraries::openmpi::has_han(choice.collective)) return algorithm;
    if (libraries::openmpi::is_han(name)) {
      algorithm.name = name;
    } else if (!answer(tuned, choice).variant.is<Native>()) {
      algorithm.name = kCollTuned;
    }
    return algorithm;
  };
  const auto keep = [](Collective, const Range&, const std::vector<SizeRange>&) {};
  return ranges_of(table, kFormat, {.bytes = han_bytes, .rule_for = rule_for, .adjust = keep});
}

std::string size_rule(const SizeRange& size) {
  const std::string& name = size.algorithm.name;
  if (name.empty()) return fmt::format("{} han # {}\n", size.from_bytes, kNative);
  if (!libraries::openmpi::is_han(name)) return fmt::format("{} {}\n", size.from_bytes, name);
  return fmt::format("{} han @{}\n", size.from_bytes, name.substr(libraries::openmpi::kHan.size()));
}

std::string procs_rule(int first, const std::vector<SizeRange>& sizes) {
  std::string text =
      fmt::format("{} # processes and more\n{} # message sizes\n", first, sizes.size());
  for (const SizeRange& size : sizes) text += size_rule(size);
  return text;
}

/// The part of the file that the library reads. It takes a file without collectives for a broken
/// one, but not a collective without rules.
std::string body_of(const std::vector<CollectiveRanges>& ranges) {
  if (ranges.empty()) return "1 # collectives\nbarrier\n0 # levels\n";
  std::string text = fmt::format("{} # collectives\n", ranges.size());
  for (const CollectiveRanges& each : ranges) {
    text += fmt::format(
        "{} # by the bytes of {}\n1 # levels\n2 # the communicator, not its nodes\n"
        "{} # communicator sizes\n",
        kCollectives.of(each.collective),
        counts_one_block(each.collective) ? "a block" : "the vector", each.procs.size() + 1);
    // The first communicator size has to be 1.
    for (const ProcsRange& procs : each.procs) {
      text += procs_rule(&procs == &each.procs.front() ? 1 : procs.first, procs.sizes);
    }
    text += procs_rule(each.procs.back().last + 1, {SizeRange{}});
  }
  return text;
}

}  // namespace

std::optional<std::string> unfit_for_han_rules(const libraries::openmpi::Version& version) {
  if (libraries::openmpi::has_known_han(version)) return std::nullopt;
  return fmt::format("rules for coll/han are known of Open MPI {} to {}, and this one is {}.{}.{}",
                     libraries::openmpi::kFirstMajorWithHan,
                     libraries::openmpi::kLastMajorWithKnownHan, version.major, version.minor,
                     version.release);
}

Emitted emit_han_rules(const tables::Table& table, const tables::Provenance& provenance) {
  const TunedRules tuned = tuned_rules(table, provenance, kFormat, unfit_for_han_rules);
  if (!table.on_several_nodes()) {
    throw UsageError("coll/han works on several nodes, and this table is of one");
  }
  const std::vector<CollectiveRanges> ranges = han_ranges(table, areas_of(tuned.ranges));
  std::set<Collective> approximate = approximate_in(ranges);
  return {.text =
              "# Breakeven's choice between the components of Open MPI where there are several "
              "nodes: rules\n# for its component coll/han, which do half without those for "
              "coll/tuned.\n#\n" +
              commented("#  ", describe(table, provenance)) + "#\n" +
              commented("#", tuned_directions(tuned.version, true)) + "#\n" +
              commented("#", approximate_lines(table, approximate)) +
              "# Of a rule: least message size, component, and of coll/han its algorithm.\n" +
              body_of(ranges),
          .approximate = std::move(approximate)};
}

}  // namespace breakeven::formats::openmpi
