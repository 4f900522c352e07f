// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_choice.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/worker/control_variable.hpp"
#include "harness/worker/openmpi/rules_lookup.hpp"
#include "harness/worker/openmpi/tuned_variable.hpp"

namespace breakeven::worker {

namespace {

int number_of(const std::string& name) {
  const auto variable = ControlVariable::find(name);
  return variable ? variable->number().value_or(0) : 0;
}

/// A component that takes collectives before coll/tuned does, as text.
std::optional<std::string> outranking(int nodes) {
  const int tuned = number_of("coll_tuned_priority");
  // han steps back on one node.
  constexpr std::array kOthers{"han", "hcoll", "ucc", "acoll", "xhc"};
  for (const std::string_view other : kOthers) {
    if (other == "han" && nodes == 1) continue;
    const int priority = number_of(fmt::format("coll_{}_priority", other));
    if (priority <= tuned) continue;
    return fmt::format(
        "coll/{0} (priority {1}) takes precedence over coll/tuned ({2}), whose algorithms don't "
        "run; with OMPI_MCA_coll_{0}_priority=0 in the environment they do",
        other, priority, tuned);
  }
  return std::nullopt;
}

/// Before 5.0 a file of rules takes precedence over what is forced.
std::optional<std::string> rules_file() {
  const auto rules = ControlVariable::find("coll_tuned_dynamic_rules_filename");
  const std::string file = rules ? rules->text().value_or("") : "";
  if (file.empty() || number_of("coll_tuned_use_dynamic_rules") == 0) return std::nullopt;
  return fmt::format("the rules of '{}' are in force and take precedence over what is forced",
                     file);
}

}  // namespace

LibraryCapabilities library_capabilities(int nodes) {
  LibraryCapabilities capabilities;
  for (const auto& collective : kCollectives.entries) {
    const std::string name = fmt::format("{}_algorithm", collective.name);
    const auto variable = ControlVariable::find("coll_tuned_" + name);
    if (!variable || !openmpi::Override::possible(name)) continue;
    for (const auto& [value, word] : variable->entries()) {
      if (value == 0) continue;  // leave it to the library
      capabilities.algorithms.push_back(
          {.collective = collective.value, .name = word, .value = value});
    }
  }
  std::optional<std::string> hindrance = outranking(nodes);
  if (!hindrance) hindrance = rules_file();
  if (!openmpi::Override::possible("use_dynamic_rules")) {
    hindrance = "this Open MPI lets nobody set coll_tuned_use_dynamic_rules";
  }
  capabilities.note = hindrance.value_or("");
  return capabilities;
}

namespace {

using NamesByNumber = std::map<std::pair<Collective, int>, std::string>;

/// What the library's numbers of algorithms stand for.
NamesByNumber listed_names() {
  NamesByNumber names;
  for (const ListedAlgorithm& each : library_capabilities(1).algorithms) {
    names[{each.collective, each.value}] = "openmpi:" + each.name;
  }
  return names;
}

std::string name_of(const NamesByNumber& names, Collective collective, int algorithm) {
  if (algorithm == 0) return std::string{kNative};
  const auto found = names.find({collective, algorithm});
  return found == names.end() ? "an algorithm that is not there" : found->second;
}

}  // namespace

/// Open MPI drops a file that it can't read without a word; its own parser says whether it can, and
/// its own look-up what it would run: the algorithms' names, without parameters.
protocol::ReadBack read_back(const protocol::ReadBackRequest& request) {
  const RulesLookup rules = RulesLookup::of_file(request.file);
  protocol::ReadBack answer{.loaded = rules.loaded(), .answers = {}};
  if (!answer.loaded) return answer;
  const NamesByNumber listed = listed_names();
  for (const Case& query : request.queries) {
    answer.answers.push_back(name_of(listed, query.collective, rules.answer(query).algorithm));
  }
  return answer;
}

std::unique_ptr<executor::Communicator> duplicate_without_table(MPI_Comm comm) {
  const openmpi::Override fixed_decisions{"use_dynamic_rules", 0};
  return std::make_unique<executor::Communicator>(comm);
}

}  // namespace breakeven::worker
