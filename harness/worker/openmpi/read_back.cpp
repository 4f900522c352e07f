// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/read_back.hpp"

#include <map>
#include <string>
#include <utility>

#include "harness/worker/library_capabilities.hpp"
#include "harness/worker/openmpi/rules_lookup.hpp"

namespace breakeven {

namespace {

using AlgorithmNames = std::map<std::pair<Collective, int>, std::string>;

/// What the library's numbers of algorithms stand for.
AlgorithmNames listed_names() {
  AlgorithmNames names;
  for (const ListedAlgorithm& each : library_capabilities(1).algorithms) {
    names[{each.collective, each.value}] = "openmpi:" + each.name;
  }
  return names;
}

std::string name_of(const AlgorithmNames& names, Collective collective, int algorithm) {
  if (algorithm == 0) return std::string{kNative};
  const auto found = names.find({collective, algorithm});
  return found == names.end() ? "an algorithm that is not there" : found->second;
}

}  // namespace

/// Open MPI drops a file that it can't read without a word; its own parser says whether it can, and
/// its own look-up what it would run: the algorithms' names, without parameters.
ReadBack read_back(const ReadBackRequest& request) {
  const RulesLookup rules = RulesLookup::of_file(request.file);
  ReadBack answer{.loaded = rules.loaded(), .answers = {}};
  if (!answer.loaded) return answer;
  const AlgorithmNames listed = listed_names();
  for (const Case& query : request.queries) {
    answer.answers.push_back(name_of(listed, query.collective, rules.answer(query).algorithm));
  }
  return answer;
}

}  // namespace breakeven
