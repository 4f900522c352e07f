// SPDX-License-Identifier: BSD-3-Clause
/// Whether the nodes of a job are alike.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "core/folded.hpp"
#include "harness/doctor/catalogue.hpp"
#include "harness/doctor/checks/common.hpp"

namespace breakeven::doctor::checks {

namespace {

/// Something that should be the same on all nodes, as text.
struct Trait {
  std::string_view name;
  std::string (*of)(const protocol::NodeFacts& node);
};

/// Rounded, because what the firmware keeps differs a little.
std::string memory(const protocol::NodeFacts& node) {
  constexpr double kGibi = 1024.0 * 1024 * 1024;
  if (!node.host.memory.total_bytes) return "unreadable";
  return fmt::format("{:.2g} GiB", static_cast<double>(*node.host.memory.total_bytes) / kGibi);
}

std::string turbo(const protocol::NodeFacts& node) {
  const std::optional<bool>& on = node.host.frequency.turbo;
  if (!on) return "not visible";
  return *on ? "on" : "off";
}

constexpr std::array kTraits{
    Trait{
        "processor",
        [](const protocol::NodeFacts& node) { return node.host.processor.value_or("unreadable"); }},
    Trait{"kernel",
          [](const protocol::NodeFacts& node) { return node.host.kernel.value_or("unreadable"); }},
    Trait{"usable cores",
          [](const protocol::NodeFacts& node) {
            return fmt::format("{}", protocol::usable_cores(node.host.cpus));
          }},
    Trait{"governor",
          [](const protocol::NodeFacts& node) {
            return protocol::governor_names(node.host.frequency);
          }},
    Trait{"turbo", turbo},
    Trait{"clock source",
          [](const protocol::NodeFacts& node) {
            return node.host.clock_source.value_or("unreadable");
          }},
    Trait{"memory", memory},
    Trait{"MPI library",
          [](const protocol::NodeFacts& node) {
            const std::string version = node.library ? node.library->version : "none";
            return version.substr(0, version.find('\n'));
          }},
};

}  // namespace

std::optional<Diagnosis> heterogeneity(std::span<const protocol::NodeFacts> nodes) {
  std::string differences;
  int with_ranks = 0;
  for (const protocol::NodeFacts& node : nodes) with_ranks += node.ranks.empty() ? 0 : 1;
  if (with_ranks == 0) return std::nullopt;
  for (const Trait& trait : kTraits) {
    std::map<std::string, std::vector<std::string>> by_value;
    for (const protocol::NodeFacts& node : nodes) {
      if (node.ranks.empty()) continue;
      by_value[trait.of(node)].push_back(node.host.name);
    }
    if (by_value.size() == 1) continue;
    differences += fmt::format("{}{}:", differences.empty() ? "" : "; ", trait.name);
    std::vector<std::pair<std::string, std::vector<std::string>>> kinds{by_value.begin(),
                                                                        by_value.end()};
    std::ranges::stable_sort(kinds, {}, [](const auto& kind) { return kind.second.size(); });
    for (const auto& [value, where] : kinds) {  // the odd ones first
      differences +=
          fmt::format(" {} on {} ({})", value, count_of(std::ssize(where), "node"), folded(where));
    }
  }
  if (differences.empty()) {
    return Diagnosis{.seen =
                         with_ranks == 1 ? "one node" : fmt::format("{} nodes alike", with_ranks)};
  }
  return Diagnosis{.severity = Severity::warning,
                   .seen = differences,
                   .effect =
                       "the slowest node decides, and algorithms that give ranks unequal work "
                       "depend on which rank is where",
                   .fix = "choose nodes of one kind and set them alike"};
}

}  // namespace breakeven::doctor::checks
