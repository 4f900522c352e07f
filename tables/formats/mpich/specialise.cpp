// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "tables/formats/mpich/build.hpp"

namespace breakeven::formats::mpich {

namespace {

/// Whether a limit lets all pass that an earlier one of its kind does.
bool includes(const Question& limit, const Question& earlier) {
  const auto ascends = [&](const Question& each) {
    return each.of == limit.of && each.sign != "=" && each.value != "pow2";
  };
  if (limit.of == "comm_avg_ppn") return false;
  return limit.value == "any" || (ascends(limit) && ascends(earlier));
}

/// Takes a node in without the one before it if both come to the same.
void add(Chain& chain, Node next) {
  if (!chain.empty() && chain.back().below == next.below &&
      includes(question_in(next.key), question_in(chain.back().key))) {
    chain.pop_back();
  }
  chain.push_back(std::move(next));
}

/// Takes the last node in, to which all other calls come: questions below it may as well follow.
void add_last(Chain& chain, Node last) {
  const Question asked = question_in(last.key);
  const bool of_place = of_communicator(asked) && asked.of != "comm_size";
  if (of_place || last.below.front().leaf()) {
    add(chain, std::move(last));
  } else {
    for (Node& each : last.below) add(chain, std::move(each));
  }
}

/// The key of the last node, whose question all remaining calls answer alike.
std::string key_of_rest(const Chain& before, const Question& asked) {
  if (asked.sign != "=" || asked.of == "comm_size") return fmt::format("{}=any", asked.of);
  const bool closes = asked.value == "any" || question_in(before.back().key).of == asked.of;
  return closes ? fmt::format("{}={}", asked.of, asked.value) : "comm_size=any";
}

/// The common answer of all nodes of a chain that no call leaves; the chain where they differ.
Chain one_of(Chain chain) {
  const bool same = std::ranges::all_of(
      chain, [&](const Node& each) { return each.below == chain.front().below; });
  return same ? Chain{chain.front().below} : chain;
}

Chain without_answered(const Chain& chain, Known known, bool at_call) {
  Chain open;
  for (const Node& each : chain) {
    if (each.leaf()) {
      open.push_back(each);
      continue;
    }
    const Question asked = question_in(each.key);
    at_call |= !of_communicator(asked);
    const std::optional<bool> answer = known.answer(asked, at_call);
    if (answer == false) continue;
    Known below = known;
    below.add(asked, true, at_call);
    Chain rest = without_answered(each.below, std::move(below), at_call);
    if (answer && open.empty()) return rest;
    std::string key = answer ? key_of_rest(open, asked) : each.key;
    if (!answer && asked.of == "comm_size" && asked.sign == "<") {
      // Below a question about the call this lets one more pass: there it may come to stand.
      key = fmt::format("comm_size<={}", asked.limit().value() - (at_call ? 0 : 1));
    }
    if (answer) {
      add_last(open, node(std::move(key), std::move(rest)));
      return one_of(std::move(open));
    }
    add(open, node(std::move(key), std::move(rest)));
    known.add(asked, false, at_call);
  }
  return open;
}

int nodes_of(const Chain& chain) {
  int nodes = 0;
  for (const Node& each : chain) nodes += 1 + nodes_of(each.below);
  return nodes;
}

/// The keys of the questions about calls, each once.
void collect(const Chain& chain, std::set<std::string>& keys) {
  for (const Node& each : chain) {
    if (each.leaf()) continue;
    const Question asked = question_in(each.key);
    if (asked.value != "any" && (!of_communicator(asked) || asked.value == "node_comm_size")) {
      keys.insert(each.key);
    }
    collect(each.below, keys);
  }
}

Chain with_own(const Chain& chain, const Chain& own) {
  if (chain.front().key == kOwnAnswer) return own;
  Chain whole;
  for (const Node& each : chain) {
    whole.push_back(each.leaf() ? each : node(each.key, with_own(each.below, own)));
  }
  return whole;
}

/// The chain for calls of which something is known, with the questions in a better order.
Chain reordered(Chain chain, const Chain& own, const Known& known) {
  struct Part {
    Chain chain;
    Known known;
    int nodes;
  };
  const auto part = [&](const std::string& key, bool holds) {
    Part made{.chain = {}, .known = known, .nodes = 0};
    made.known.add(question_in(key), holds, true);
    made.chain = without_answered(chain, made.known, true);
    made.nodes = nodes_of(without_answered(with_own(made.chain, own), made.known, true));
    return made;
  };
  std::set<std::string> keys;
  collect(chain, keys);
  int least = nodes_of(without_answered(with_own(chain, own), known, true));
  Chain best;
  for (const std::string& key : keys) {
    Part fits = part(key, true);
    Part rest = part(key, false);
    if (2 + fits.nodes + rest.nodes >= least) continue;
    least = 2 + fits.nodes + rest.nodes;
    best = {node(key, std::move(fits.chain)), node("comm_size=any", std::move(rest.chain))};
  }
  if (best.empty()) return chain;
  for (Node& each : best) {
    Known below = known;
    below.add(question_in(best.front().key), &each == &best.front(), true);
    each.below = reordered(std::move(each.below), own, below);
  }
  return best;
}

}  // namespace

Chain with_few_nodes(const Chain& chain, const Chain& own) {
  return with_own(reordered(without_answered(chain), own, {}), own);
}

Chain specialise(const Chain& chain, Hierarchy hierarchy) {
  Known known;
  known.add({"comm_hierarchy", "=", name_of(hierarchy)}, true, false);
  return without_answered(chain, std::move(known), false);
}

Chain without_answered(const Chain& chain) { return without_answered(chain, {}, false); }

}  // namespace breakeven::formats::mpich
