// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/size_choices.hpp"

#include <iterator>
#include <numeric>

namespace breakeven {

namespace {

/// Above every size at which a library's algorithm begins to run as it is named.
constexpr Bytes kHuge{std::int64_t{1} << 45};

bool same(const Choice& one, const Choice& other) {
  return one.algorithm == other.algorithm && one.params == other.params;
}

}  // namespace

std::set<Bytes> rule_starts(const Table& table, Collective collective, const Mapping& mapping) {
  std::set<Bytes> starts{Bytes{0}};
  for (const Rule& rule : table.rules) {
    if (rule.what.collective == collective && rule.what.mapping == mapping) {
      starts.insert(rule.what.message);
    }
  }
  return starts;
}

std::vector<SizeChoice> size_choices(const Table& table, Collective collective, int procs,
                                     const Mapping& mapping, const std::set<Bytes>& starts) {
  const auto choose = [&](Bytes size) { return table.choose(collective, procs, size, mapping); };
  std::vector<SizeChoice> choices;
  const auto add = [&](Bytes first, const Choice& choice) {
    if (choices.empty() || !same(choices.back().choice, choice)) choices.push_back({first, choice});
  };
  for (auto start = starts.begin(); start != starts.end(); ++start) {
    const auto next = std::next(start);
    const Bytes last{(next == starts.end() ? kHuge : *next).value - 1};
    const Choice at_last = choose(last);
    Bytes from = *start;
    add(from, choose(from));
    while (!same(choices.back().choice, at_last)) {
      Bytes before = from;
      from = last;
      while (from.value - before.value > 1) {
        const Bytes middle{std::midpoint(before.value, from.value)};
        (same(choose(middle), choices.back().choice) ? before : from) = middle;
      }
      add(from, choose(from));
    }
  }
  return choices;
}

}  // namespace breakeven
