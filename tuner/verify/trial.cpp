// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "core/error.hpp"

namespace breakeven::verify {

namespace {

/// A collective on nodes that are laid out in one way, as far as the table knows it.
struct Known {
  std::map<int, Case> by_procs{};  ///< a rule's case of each p
  Bytes least{};
  Bytes greatest{};
};

const std::vector kEqualAlone{Counts::equal};

/// With the processes on each node, of several nodes, and the communicators that call at once.
using Place = std::tuple<Collective, CallForm, Mapping, int, int>;

std::map<Place, Known> known_to(const tables::Table& table) {
  std::map<Place, Known> found;
  for (const tables::Rule& rule : table.rules) {
    const Case& what = rule.what;
    const int per_node = what.nodes == 1 ? 0 : what.procs_per_node;
    Known& known = found[{what.collective, what.form, what.mapping, per_node, what.comms_per_node}];
    if (known.by_procs.empty()) known.least = rule.first_measured;
    known.by_procs.try_emplace(what.procs, without_algorithm(what));
    known.least = std::min(known.least, rule.first_measured);
    known.greatest = std::max(known.greatest, rule.last_measured);
  }
  return found;
}

std::set<int> process_counts(const Known& known, const Trial& trial) {
  if (!trial.procs.empty()) return {trial.procs.begin(), trial.procs.end()};
  std::set<int> counts;
  int below = 0;
  const Case& any = known.by_procs.begin()->second;
  const bool one_node = any.nodes == 1 && any.comms_per_node == 1;
  for (const auto& [procs, what] : known.by_procs) {
    counts.insert(procs);
    if (one_node && below > 0) counts.insert((below + procs) / 2);
    below = procs;
  }
  if (one_node) counts.insert(below + 1);
  return counts;
}

/// Whole elements half way between powers of two, from `least` to `greatest`.
std::vector<Bytes> sizes_between(const Known& known, Bytes element) {
  if (known.greatest.value == 0) return {Bytes{0}};  // a barrier
  std::set<Bytes> sizes;
  const double half_way = std::sqrt(2.0);
  for (auto power = static_cast<double>(known.least.value);
       power < static_cast<double>(known.greatest.value); power *= 2) {
    const auto elements =
        static_cast<std::int64_t>(power * half_way / static_cast<double>(element.value));
    if (elements > 0) sizes.insert(elements * element);
  }
  if (sizes.empty()) sizes.insert(known.least);
  return {sizes.begin(), sizes.end()};
}

/// Nothing where so many processes do not fill several nodes as the case's do.
std::optional<Case> laid_out(Case what, int procs) {
  if (what.nodes == 1) {
    what.procs_per_node = procs;
  } else if (procs % what.procs_per_node == 0 && procs > what.procs_per_node) {
    what.nodes = procs / what.procs_per_node;
  } else {
    return std::nullopt;
  }
  what.procs = procs;
  return what;
}

}  // namespace

std::vector<Case> problems_of_trial(const tables::Table& table, const Trial& trial) {
  std::vector<Case> problems;
  for (const auto& [place, known] : known_to(table)) {
    const Case& any = known.by_procs.begin()->second;
    const std::vector<Bytes> sizes = trial.messages.empty() || !moves_data(any.collective)
                                         ? sizes_between(known, extent(any.datatype))
                                         : trial.messages;
    for (const Bytes size : sizes) {
      if (size.value % extent(any.datatype).value == 0) continue;
      throw UsageError(fmt::format("message size {} asked for, but the table is for {}, {} each",
                                   to_text(size), kDatatypes.of(any.datatype),
                                   to_text(extent(any.datatype))));
    }
    for (const int procs : process_counts(known, trial)) {
      std::optional<Case> problem = laid_out(any, procs);
      if (!problem) continue;
      for (const Bytes message : sizes) {
        problem->message = message;
        for (const Counts counts : irregular(any.collective) ? trial.counts : kEqualAlone) {
          problems.push_back(with_counts(*problem, counts));
        }
      }
    }
  }
  return problems;
}

}  // namespace breakeven::verify
