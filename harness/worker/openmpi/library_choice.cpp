// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "executor/mpi_types.hpp"
#include "harness/worker/openmpi/rules_lookup.hpp"
#include "libraries/forced/openmpi/component_variable.hpp"
#include "libraries/forced/tools.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/openmpi_rules.hpp"

namespace breakeven::worker {

namespace {

using forced::ControlVariable;
using forced::openmpi::ComponentVariable;

int number_of(const std::string& name) {
  const auto variable = ControlVariable::find(name);
  return variable ? variable->number().value_or(0) : 0;
}

/// A component that takes collectives before coll/tuned does, as text. Of these coll/han alone is
/// known: the collectives that it takes are named with each communicator.
std::optional<std::string> outranking() {
  const int tuned = number_of("coll_tuned_priority");
  constexpr std::array kOthers{"hcoll", "ucc", "acoll", "xhc"};
  for (const std::string_view other : kOthers) {
    const int priority = number_of(fmt::format("coll_{}_priority", other));
    if (priority <= tuned) continue;
    return fmt::format(
        "coll/{0} (priority {1}) takes precedence over coll/tuned ({2}), whose algorithms don't "
        "run; with OMPI_MCA_coll_{0}_priority=0 in the environment they do",
        other, priority, tuned);
  }
  return std::nullopt;
}

/// Whether nonblocking collectives are coll/libnbc's: no other component that has some takes them.
bool libnbc_comes_first() {
  const int libnbc = number_of("coll_libnbc_priority");
  constexpr std::array kOthers{"adapt", "hcoll", "portals4", "ucc"};
  return std::ranges::none_of(kOthers, [&](const std::string_view other) {
    return number_of(fmt::format("coll_{}_priority", other)) > libnbc;
  });
}

/// Before 5.0 a file of rules takes precedence over what is forced; coll/han's always does.
std::optional<std::string> rules_file(const std::string& component, const std::string& use) {
  const auto rules =
      ControlVariable::find(fmt::format("coll_{}_dynamic_rules_filename", component));
  const std::string file = rules ? rules->text().value_or("") : "";
  if (file.empty() || number_of(fmt::format("coll_{}_{}", component, use)) == 0)
    return std::nullopt;
  return fmt::format("the rules of '{}' are in force and take precedence over what is forced",
                     file);
}

/// The algorithms that the component's variable lists for the collective.
std::vector<std::pair<int, std::string>> listed_by(const std::string& component,
                                                   const std::string& name) {
  const auto variable = ControlVariable::find(fmt::format("coll_{}_{}", component, name));
  if (!variable || !ComponentVariable::find(component, name)) return {};
  return variable->entries();
}

/// Adds the algorithms of coll/han, without its default and the entries that call coll/tuned.
void add_han(Collective collective, std::string_view collective_name,
             std::vector<ListedAlgorithm>& algorithms) {
  for (const auto& [value, word] :
       listed_by("han", fmt::format("use_{}_algorithm", collective_name))) {
    const ListedAlgorithm listed{.collective = collective,
                                 .name = fmt::format("{}{}", libraries::openmpi::kHan, word),
                                 .value = value};
    const Case what{.collective = collective, .variant = LibraryOwn{"openmpi", listed.name}};
    if (libraries::find_library_algorithm(what) != nullptr) algorithms.push_back(listed);
  }
}

}  // namespace

LibraryCapabilities library_capabilities() {
  LibraryCapabilities capabilities;
  const auto version = libraries::openmpi::parse_version(executor::library_version());
  for (const auto& collective : kCollectives.entries) {
    for (const auto& [value, word] :
         listed_by("tuned", fmt::format("{}_algorithm", collective.name))) {
      if (value == 0) continue;  // leave it to the library
      capabilities.algorithms.push_back(
          {.collective = collective.value, .name = word, .value = value});
    }
    for (const auto& [value, word] :
         listed_by("libnbc", fmt::format("i{}_algorithm", collective.name))) {
      if (value == 0 || !libnbc_comes_first()) continue;
      capabilities.nonblocking.push_back(
          {.collective = collective.value, .name = word, .value = value});
    }
    if (version && libraries::openmpi::has_known_han(*version)) {
      add_han(collective.value, collective.name, capabilities.algorithms);
    }
  }
  std::optional<std::string> hindrance = outranking();
  if (!hindrance) hindrance = rules_file("tuned", "use_dynamic_rules");
  if (!hindrance) hindrance = rules_file("han", "use_dynamic_file_rules");
  if (!ComponentVariable::find("tuned", "use_dynamic_rules")) {
    hindrance = "this Open MPI lets nobody set coll_tuned_use_dynamic_rules";
  }
  capabilities.note = hindrance.value_or("");
  return capabilities;
}

namespace {

using NamesByNumber = std::map<std::pair<Collective, int>, std::string>;

/// The names of the library's numbers of algorithms.
NamesByNumber listed_names() {
  NamesByNumber names;
  for (const ListedAlgorithm& each : library_capabilities().algorithms) {
    if (libraries::openmpi::is_han(each.name)) continue;
    names[{each.collective, each.value}] = "openmpi:" + each.name;
  }
  return names;
}

std::string name_of(const NamesByNumber& names, Collective collective, int algorithm) {
  if (algorithm == 0) return std::string{kNative};
  const auto found = names.find({collective, algorithm});
  return found == names.end() ? "an algorithm that is not there" : found->second;
}

/// For a file of rules for coll/tuned: the algorithms that its own look-up chooses, by their names,
/// without parameters.
protocol::ReadBack tuned_read_back(const protocol::ReadBackRequest& request) {
  const RulesLookup rules = RulesLookup::of_file(request.file);
  protocol::ReadBack answer{.loaded = rules.loaded(), .answers = {}};
  if (!answer.loaded) return answer;
  const NamesByNumber listed = listed_names();
  for (const Case& query : request.queries) {
    answer.answers.push_back(name_of(listed, query.collective, rules.answer(query).algorithm));
  }
  return answer;
}

}  // namespace

/// Open MPI silently drops a file that it can't read; its own parsers tell whether they can.
protocol::ReadBack read_back(const protocol::ReadBackRequest& request) {
  const auto of_han = ControlVariable::find("coll_han_dynamic_rules_filename");
  if (of_han && of_han->text() == request.file) return {.loaded = han_rules_read().has_value()};
  return tuned_read_back(request);
}

std::unique_ptr<executor::Communicator> duplicate_without_table(MPI_Comm comm) {
  const forced::openmpi::Override fixed_decisions{"tuned", "use_dynamic_rules", 0};
  return std::make_unique<executor::Communicator>(comm);
}

}  // namespace breakeven::worker
