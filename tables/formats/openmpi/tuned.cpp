// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/tuned.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "kernels/params.hpp"
#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/head.hpp"

namespace breakeven::formats::openmpi {

namespace {

using libraries::openmpi::RuledAlgorithm;

/// The choices that the rules skip, gathered over all p and sizes.
struct Skipped {
  std::set<std::pair<Collective, std::string>> unspeakable{};
  std::map<Collective, std::vector<Range>> several_sizes{};
  std::map<Collective, std::vector<Range>> sizes_unknown{};
  std::map<std::string, std::string> unsafe{};  ///< what an algorithm does to some programs

  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const auto& [collective, variant] : unspeakable) {
      lines.push_back(
          fmt::format("{}: {} can't be said by a rule, so the library decides where it was chosen",
                      kCollectives.of(collective), variant));
    }
    for (const auto& [collective, procs] : several_sizes) {
      lines.push_back(fmt::format(
          "{}: the library decides at p = {}, where the choice depends on the size; ranks of one "
          "call may see different sizes (in arguments that MPI ignores) and would run different "
          "algorithms with each other",
          kCollectives.of(collective), to_text(procs)));
    }
    for (const auto& [collective, procs] : sizes_unknown) {
      lines.push_back(fmt::format(
          "{}: the library decides at p = {}, where the choice depends on the size, which rules "
          "don't know of it: they see {}",
          kCollectives.of(collective), to_text(procs),
          libraries::openmpi::rules_bytes_text(collective)));
    }
    for (const auto& [algorithm, harm] : unsafe) {
      lines.push_back(fmt::format("{}: {}", algorithm, harm));
    }
    return lines;
  }
};

/// Whether coll/han comes before coll/tuned where there are several nodes.
bool comes_first(const libraries::openmpi::Version& version) {
  return version.major >= libraries::openmpi::kFirstMajorWithHan;
}

/// The settings that apply a file of rules, names and values.
std::vector<std::pair<std::string_view, std::string>> settings_of(
    const libraries::openmpi::Version& version, bool several_nodes) {
  const auto path = [](std::string_view name) { return fmt::format("/path/to/{}", name); };
  const bool reads_json = version.major >= libraries::openmpi::kFirstMajorWithJson;
  std::vector<std::pair<std::string_view, std::string>> settings{
      {"coll_tuned_use_dynamic_rules", "1"},
      {"coll_tuned_dynamic_rules_filename",
       path(reads_json ? "openmpi_rules.json" : "openmpi_rules.conf")}};
  const bool han_has_rules = libraries::openmpi::has_known_han(version);
  if (han_has_rules && several_nodes) {
    settings.emplace_back("coll_han_use_dynamic_file_rules", "1");
    settings.emplace_back("coll_han_dynamic_rules_filename", path("openmpi_han_rules.conf"));
  } else if (comes_first(version) && !han_has_rules) {
    settings.emplace_back("coll_han_priority", "0");
  }
  return settings;
}

/// The algorithm of a choice; empty where the library decides.
RuledAlgorithm tuned_rule(const Case& choice, const libraries::openmpi::Version& version,
                          const tables::Provenance& provenance, Skipped& skipped) {
  // Rules of coll/han name its algorithms.
  if (libraries::openmpi::is_han(choice.variant.library()->name)) return {};
  RuledAlgorithm algorithm;
  try {
    algorithm = libraries::openmpi::ruled(choice);
    if (algorithm.max_requests && !libraries::openmpi::reads_requests(version)) {
      throw UsageError("rules of this version have no limit of requests");
    }
  } catch (const UsageError&) {
    skipped.unspeakable.emplace(choice.collective, to_text(choice.variant));
    return {};
  }
  static_cast<void>(tuned_id(provenance.capabilities, choice.collective, algorithm.name));
  const auto harms = libraries::unguarded(choice);
  if (harms.empty()) return algorithm;
  skipped.unsafe.emplace(algorithm_text(choice), libraries::harm_of(harms));
  return libraries::is_safe(choice, provenance.allowed_unsafe) ? algorithm : RuledAlgorithm{};
}

bool chooses_alone(const tables::Table& table) {
  return std::ranges::any_of(table.rules, [](const tables::Rule& rule) {
    return rule.what.procs == 1 && !rule.what.variant.is<Native>();
  });
}

}  // namespace

libraries::openmpi::Version version_of(const tables::Provenance& provenance,
                                       std::string_view format) {
  const auto version = libraries::openmpi::parse_version(provenance.machine.library_version);
  if (version) return *version;
  throw UsageError(fmt::format("{} is for Open MPI; the library of machine '{}' is '{}'", format,
                               provenance.machine.name, provenance.machine.library_version));
}

int tuned_id(const LibraryCapabilities& capabilities, Collective collective,
             std::string_view name) {
  if (name.empty()) return 0;
  const auto found =
      std::ranges::find_if(capabilities.algorithms, [&](const ListedAlgorithm& listed) {
        return listed.collective == collective && listed.name == name;
      });
  if (found != capabilities.algorithms.end()) return found->value;
  throw UsageError(
      fmt::format("the library of this machine did not list {} '{}', so no rule can name it",
                  kCollectives.of(collective), name));
}

TunedRules tuned_rules(const tables::Table& table, const tables::Provenance& provenance,
                       std::string_view format, Unfit unfit) {
  TunedRules rules{.version = version_of(provenance, format)};
  if (const auto reason = unfit(rules.version)) throw UsageError(*reason);
  Skipped skipped;
  const auto adjust = [&](Collective collective, const Range& procs,
                          std::vector<SizeRange>& sizes) {
    const bool unknown = !libraries::openmpi::rules_know_sizes(collective) && sizes.size() > 1;
    if (!unknown && !tuned_hazard(collective, sizes.size())) return;
    (unknown ? skipped.sizes_unknown : skipped.several_sizes)[collective].push_back(procs);
    sizes = {SizeRange{}};
  };
  const auto rule_for = [&](const Case& choice) {
    return tuned_rule(choice, rules.version, provenance, skipped);
  };
  rules.ranges =
      ranges_of(table, format, {.bytes = tuned_bytes, .rule_for = rule_for, .adjust = adjust});
  rules.degraded = skipped.lines();
  for (const CollectiveRanges& each : rules.ranges) {
    rules.degraded.insert(rules.degraded.end(), each.lost.begin(), each.lost.end());
  }
  if (chooses_alone(table)) {
    rules.degraded.emplace_back("p = 1 is skipped: coll/tuned takes no part there");
  }
  return rules;
}

std::optional<std::string> tuned_hazard(Collective collective, std::size_t sizes) {
  if (sizes <= 1) return std::nullopt;
  if (!libraries::openmpi::rules_know_sizes(collective)) {
    return fmt::format(
        "{} has {} size rules for one communicator size; whatever the message is, the library "
        "sees {}",
        kCollectives.of(collective), sizes, libraries::openmpi::rules_bytes_text(collective));
  }
  if (!libraries::openmpi::rules_bytes_differ(collective)) return std::nullopt;
  return fmt::format(
      "{} has {} size rules for one communicator size; ranks of one call may see different sizes "
      "and run different algorithms with each other: one size rule alone is safe",
      kCollectives.of(collective), sizes);
}

std::optional<libraries::openmpi::Version> version_in(std::string_view head) {
  return libraries::openmpi::parse_version(head_value(head, "library").value_or(""));
}

std::optional<std::string> unfit_head(std::string_view head, Unfit unfit) {
  const auto version = version_in(head);
  return version ? unfit(*version) : std::nullopt;
}

std::int64_t tuned_bytes(const Case& choice) {
  return libraries::openmpi::rules_know_sizes(choice.collective)
             ? libraries::openmpi::rules_bytes(choice)
             : 0;
}

std::vector<std::string> tuned_directions(const libraries::openmpi::Version& version,
                                          bool several_nodes) {
  const bool han_has_rules = libraries::openmpi::has_known_han(version);
  const bool han_comes_first = comes_first(version);
  std::vector<std::string> lines{"To apply it, by the environment,"};
  std::string flags;
  std::string variables;
  for (const auto& [name, value] : settings_of(version, several_nodes)) {
    lines.push_back(fmt::format("  export OMPI_MCA_{}={}", name, value));
    flags += fmt::format(" --mca {} {}", name, value);
    variables += fmt::format(" OMPI_MCA_{}", name);
  }
  lines.emplace_back("or by flags,");
  lines.push_back(fmt::format("  mpirun{} ...", flags));
  lines.emplace_back("with an absolute path that every node can read: each process reads it, in");
  lines.emplace_back("MPI_Init. Without the first of the lines the second does nothing, silently.");
  if (han_has_rules && several_nodes) {
    lines.emplace_back("Likewise the third and the fourth. Where there are several nodes coll/han");
    lines.emplace_back("decides: its rules hand over to coll/tuned what that one's rules choose.");
  } else if (han_has_rules) {
    lines.emplace_back("Where there are several nodes coll/han decides: this table is of one.");
  } else if (han_comes_first) {
    lines.emplace_back("Without the third coll/han decides where there are several nodes.");
  }
  lines.emplace_back("To undo it, leave these settings out:");
  lines.push_back(fmt::format("  unset{}", variables));
  lines.emplace_back(
      han_comes_first
          ? "An algorithm forced by coll_tuned_<collective>_algorithm comes before these rules."
          : "These rules come before an algorithm forced by coll_tuned_<collective>_algorithm.");
  return lines;
}

}  // namespace breakeven::formats::openmpi
