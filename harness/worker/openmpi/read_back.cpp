// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/read_back.hpp"

#include <map>
#include <string>

#include "harness/worker/library_offer.hpp"
#include "harness/worker/openmpi/rules_lookup.hpp"

namespace breakeven {

namespace {

/// What the library's numbers of a collective's algorithms stand for.
std::map<int, std::string> names_of(Collective collective) {
  std::map<int, std::string> names{{0, std::string{kNative}}};
  for (const ListedAlgorithm& each : library_offer(1).algorithms) {
    if (each.collective == collective) names[each.value] = "openmpi:" + each.name;
  }
  return names;
}

}  // namespace

/// Open MPI drops a file that it can't read without a word; its own parser says whether it can, and
/// its own look-up what it would run: the algorithms' names, without parameters.
ReadBack read_back(const ReadBackRequest& request) {
  const RulesLookup rules = RulesLookup::of_file(request.file);
  ReadBack answer{.loaded = rules.loaded(), .answers = {}};
  if (!answer.loaded) return answer;
  for (const Case& query : request.queries) {
    const std::map<int, std::string> names = names_of(query.collective);
    const auto name = names.find(rules.answer(query).algorithm);
    answer.answers.push_back(name == names.end() ? "an algorithm that is not there" : name->second);
  }
  return answer;
}

}  // namespace breakeven
