// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/description.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/mpich/names.hpp"
#include "tables/formats/mpich/search.hpp"

namespace breakeven::formats::mpich {

namespace {

/// Calls for which a tree may have another answer than for those that a problem means.
struct OtherCalls {
  std::string_view text;
  void (*change)(Call& call);
};
constexpr std::array kOtherCalls{
    OtherCalls{"the user's own operations", [](Call& call) { call.built_in = false; }},
    OtherCalls{"operations that do not commute",
               [](Call& call) { call.built_in = call.commutative = false; }},
    OtherCalls{"unequal counts", [](Call& call) { call.regular_blocks = false; }},
    OtherCalls{"buffers in place", [](Call& call) { call.in_place = true; }},
    OtherCalls{"the same bytes in one element",
               [](Call& call) { call.extent *= std::exchange(call.count, 1); }},
    OtherCalls{"programs with several threads", [](Call& call) { call.threaded = true; }},
};

bool has_key(const Node& leaf, std::string_view begin) {
  return std::ranges::any_of(leaf.below,
                             [&](const Node& each) { return each.key.starts_with(begin); });
}

/// "p = 4, avg_msg_size 0 to 1023 (this call: 768), comm_hierarchy=parent"
std::string rule_text(const std::vector<Step>& way, const Call& call) {
  std::map<std::string_view, Range> ranges;
  std::vector<std::string> answers;
  for (const auto& [asked, held, most] : way) {
    if (most) {
      Range& range = ranges[asked.of];
      if (held) {
        range.last = std::min(range.last, *most);
      } else {
        range.first = std::max(range.first, *most + 1);
      }
    } else if (held && asked.value != "any" && asked.of != "comm_type") {
      answers.push_back(fmt::format("{}={}", asked.of, asked.value));
    }
  }
  std::vector<std::string> parts{fmt::format("p = {}", to_text(ranges["comm_size"]))};
  ranges.erase("comm_size");
  for (const auto& [of, range] : ranges) {
    parts.push_back(fmt::format("{} {} (this call: {})", of, to_text(range), measure(of, call)));
  }
  std::ranges::move(answers, std::back_inserter(parts));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Those for whom the tree has another leaf, a line each.
std::vector<std::string> other_leaves(const Chain& tree, const Node& leaf, const Call& call,
                                      const Case& problem) {
  std::vector<std::string> lines;
  for (const OtherCalls& others : kOtherCalls) {
    Call changed = call;
    others.change(changed);
    const Node* const other = search(tree, changed).leaf;
    if (other == nullptr || *other == leaf) continue;
    const Case what = with_variant(problem, variant_in(*other));
    lines.push_back(
        fmt::format("for {}: {} (line {})", others.text, algorithm_text(what), other->line));
  }
  return lines;
}

Answer answer(const Chain& tree, Layer layer, bool of_breakeven, const Case& problem) {
  const Call call = call_of(problem);
  const auto [leaf, way] = search(tree, call);
  Answer answer{.rule = rule_text(way, call)};
  if (leaf == nullptr) {
    answer.notes.emplace_back(layer == Layer::mpir
                                  ? "no leaf: the call ends the program"
                                  : "no leaf: the device leaves the call to the MPIR layer");
    return answer;
  }
  answer.line = leaf->line;
  if (of_breakeven && !has_key(*leaf, kChosen)) {
    answer.notes.push_back(fmt::format("MPICH's own tree, left as it is, has {}", leaf->key));
  } else {
    answer.variant = variant_in(*leaf);
  }
  if (has_key(*leaf, kFlat)) {
    answer.notes.emplace_back(
        "the device leaves the call to the MPIR layer, whose file names the algorithm");
  }
  std::ranges::move(other_leaves(tree, *leaf, call, problem), std::back_inserter(answer.notes));
  return answer;
}

}  // namespace

void answer_by(Chain tree, Layer layer, std::string_view text, ReadTable& read) {
  for (const auto& [collective, name] : kCollectives.entries) {
    const std::string key = fmt::format("collective={}", name);
    if (std::ranges::find(tree, key, &Node::key) != tree.end()) read.collectives.insert(collective);
  }
  const bool of_breakeven = head_value(text, "made").has_value();
  // Each process is a node to a library that shares no memory.
  const bool alone = head_value(text, kMemory).has_value();
  read.answer = [tree = std::move(tree), layer, of_breakeven, alone](Case problem) {
    if (alone) problem.nodes = problem.procs;
    return answer(tree, layer, of_breakeven, problem);
  };
}

}  // namespace breakeven::formats::mpich
