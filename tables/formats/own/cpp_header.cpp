// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/own/cpp_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "tables/formats/common/description.hpp"
#include "tables/formats/common/head.hpp"

namespace breakeven::formats {

namespace {

constexpr std::string_view kUse =
    R"(// Which algorithm of each MPI collective to use on this machine, by the measurements above. C++17,
// no dependency, usable at compile time and in any number of translation units:
//
//     namespace table = breakeven_table;
//     const table::Choice choice = table::choose(table::Collective::allreduce, procs, nodes, bytes);
//     if (choice.algorithm == table::Algorithm::native) MPI_Allreduce(...);
//
// `native` is the MPI library's own collective. It is the answer wherever nothing else is known.
// message_bytes is what MPI's count argument describes: the whole vector of allreduce, bcast and
// reduce; the block of one process of allgather, gather, reduce_scatter_block and scatter.
// Sizes below the first rule take that rule. A layout (processes on nodes) that was not measured takes
// the rule of the nearest measured one: by the ratio of nodes, times that of processes per node, times
// that of communicators per node that call at once; one node and several are four times as far
// apart. Where that rule's algorithm can't run with its parameters, the answer is native. measured
// and decided are then false.
)";

constexpr std::string_view kTypes = R"(
struct Choice {
  Algorithm algorithm = Algorithm::native;
  std::string_view params;      // of the algorithm: "key=value,key=value" or empty
  bool measured = false;        // this layout was measured
  bool decided = false;         // and the choice is probably within 3 % of the fastest
};

namespace detail {

enum class Requirement : std::uint8_t { any_procs, even_procs, power_of_two, measured_procs };

// From from_bytes on, up to the next rule of the same collective and layout. Behind each stands what
// it rests on: the processes on a node, the message sizes measured, and the launches.
struct Rule {
  Collective collective;
  Mapping mapping;
  int procs;
  int nodes;
  int comms_per_node;
  std::uint64_t from_bytes;
  Algorithm algorithm;
  std::string_view params;
  Requirement requirement;
  bool decided;
};

)";

constexpr std::string_view kLookup = R"(
constexpr bool met(Requirement requirement, int procs) {
  switch (requirement) {
    case Requirement::any_procs: return true;
    case Requirement::even_procs: return procs % 2 == 0 || procs == 1;
    case Requirement::power_of_two: return (procs & (procs - 1)) == 0;
    case Requirement::measured_procs: break;
  }
  return false;
}

constexpr double ratio(double one, double other) {
  return one > other ? one / other : other / one;
}

constexpr double distance(const Rule& rule, int procs, int nodes, int comms_per_node) {
  const double apart = (rule.nodes == 1) == (nodes == 1) ? 1 : 4;
  return apart * ratio(rule.nodes, nodes) *
         ratio(static_cast<double>(rule.procs) / rule.nodes, static_cast<double>(procs) / nodes) *
         ratio(rule.comms_per_node, comms_per_node);
}

// Where each node has one process, or one has all, mappings are names of the same.
constexpr bool any_mapping(int procs, int nodes) { return nodes == 1 || nodes == procs; }

constexpr bool same_place(const Rule& one, const Rule& other) {
  return one.mapping == other.mapping && one.procs == other.procs && one.nodes == other.nodes &&
         one.comms_per_node == other.comms_per_node;
}

}  // namespace detail

constexpr Choice choose(Collective collective, int procs, int nodes, std::uint64_t message_bytes,
                        Mapping mapping = Mapping::seq, int comms_per_node = 1) {
  if (procs < 1 || nodes < 1 || comms_per_node < 1) return {};
  const detail::Rule* best = nullptr;
  double least = 0;
  for (const detail::Rule& rule : detail::kRules) {
    const bool mapped_alike = rule.mapping == mapping || detail::any_mapping(procs, nodes) ||
                              detail::any_mapping(rule.procs, rule.nodes);
    if (rule.collective != collective || !mapped_alike) continue;
    const double away = detail::distance(rule, procs, nodes, comms_per_node);
    if (best == nullptr || away < least ||
        (detail::same_place(rule, *best) && rule.from_bytes <= message_bytes)) {
      best = &rule;
      least = away;
    }
  }
  if (best == nullptr) return {};
  if (best->procs != procs && !detail::met(best->requirement, procs)) return {};
  const bool measured = least == 1;
  return {best->algorithm, best->params, measured, measured && best->decided};
}

constexpr std::string_view name(Algorithm algorithm) {
  switch (algorithm) {
)";

constexpr std::string_view kEnd = R"(  }
  return {};
}

}  // namespace breakeven_table

#endif  // BREAKEVEN_TABLE_HPP
)";

std::string_view requirement_in_header(const tables::Rule& rule) {
  if (rule.requirement.text == tables::kMeasuredProcs.text) return "measured_procs";
  if (rule.requirement.text == kernels::kAnyProcs.text) return "any_procs";
  if (rule.requirement.text == kernels::kEvenProcs.text) return "even_procs";
  if (rule.requirement.text == kernels::kPowerOfTwo.text) return "power_of_two";
  throw Error(fmt::format("the C++ header can't say what {} needs: {}",
                          rule.what.variant.algorithm(), rule.requirement.text));
}

std::string mapping_in_header(const tables::Rule& rule) {
  std::string name = to_text(rule.what.mapping);
  if (rule.what.mapping == Mapping::seq || rule.what.mapping == Mapping::rr) return name;
  throw UsageError(
      fmt::format("the C++ header can't say mapping {} ({} at p = {}); it knows seq and rr alone",
                  name, kCollectives.of(rule.what.collective), rule.what.procs));
}

template <typename Enum, std::size_t Size>
std::string enumeration(std::string_view name, const Names<Enum, Size>& names) {
  std::vector<std::string_view> words;
  words.reserve(Size);
  for (const auto& entry : names.entries) words.push_back(entry.name);
  return fmt::format("enum class {} : std::uint8_t {{\n  {}\n}};\n", name,
                     fmt::join(words, ",\n  "));
}

/// Those of the rules, and native, which is the answer where there is no rule.
std::set<std::string> algorithms_of(const tables::Table& table) {
  std::set<std::string> names{std::string{kNative}};
  for (const tables::Rule& rule : table.rules) names.insert(rule.what.variant.algorithm());
  return names;
}

std::string rules_of(const tables::Table& table) {
  std::string text =
      fmt::format("inline constexpr std::array<Rule, {}> kRules{{{{\n", table.rules.size());
  for (const tables::Rule& rule : table.rules) {
    text += fmt::format(
        "    {{Collective::{}, Mapping::{}, {}, {}, {}, {}, Algorithm::{}, \"{}\", "
        "Requirement::{}, "
        "{}}},  // {} on a node, {} to {} B, {} launches\n",
        kCollectives.of(rule.what.collective), mapping_in_header(rule), rule.what.procs,
        rule.what.nodes, rule.what.comms_per_node, rule.what.message.value,
        rule.what.variant.algorithm(), rule.what.variant.params(), requirement_in_header(rule),
        rule.certainty == tables::Certainty::decided, rule.what.procs_per_node,
        rule.first_measured.value, rule.last_measured.value, rule.launches);
  }
  return text + "}};\n";
}

std::string body_of(const tables::Table& table) {
  const std::set<std::string> algorithms = algorithms_of(table);
  std::string text{kUse};
  text +=
      "#ifndef BREAKEVEN_TABLE_HPP\n#define BREAKEVEN_TABLE_HPP\n\n"
      "#include <array>\n#include <cstdint>\n#include <string_view>\n\n"
      "namespace breakeven_table {\n\n";
  text += enumeration("Collective", kCollectives) +
          "enum class Mapping : std::uint8_t {\n  seq,\n  rr\n};\n";
  text += fmt::format("enum class Algorithm : std::uint8_t {{\n  {}\n}};\n",
                      fmt::join(algorithms, ",\n  "));
  text.append(kTypes).append(rules_of(table)).append(kLookup);
  for (const std::string_view name : algorithms) {
    text += fmt::format("    case Algorithm::{0}: return \"{0}\";\n", name);
  }
  return text.append(kEnd);
}

}  // namespace

Emitted cpp_header(const tables::Table& table, const tables::Provenance& provenance) {
  return {.text = "// SPDX-License-Identifier: BSD-3-Clause\n// A table of Breakeven.\n//\n" +
                  commented("//  ", describe(table, provenance)) + "//\n" + body_of(table)};
}

}  // namespace breakeven::formats
