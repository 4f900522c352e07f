// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/formats/mpich/specialise.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <optional>
#include <string_view>

#include "tuner/formats/mpich/question.hpp"

namespace breakeven::formats::mpich {

namespace {

int number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The largest size that a limit of it lets pass; nothing when the question is another one.
/// @param at_call  whether a question about the call was asked before: MPICH takes '<' for '<='
std::optional<int> limit(const Question& asked, bool at_call) {
  if (asked.of != "comm_size" || asked.sign == "=") return std::nullopt;
  return number(asked.value) - (asked.sign == "<" && !at_call ? 1 : 0);
}

enum class Truth { yes, no, open };

/// Open where it isn't the same for all of the communicators.
Truth truth_of(const Question& asked, const Communicators& which, bool at_call) {
  const auto is = [](bool holds) { return holds ? Truth::yes : Truth::no; };
  if (const auto most = limit(asked, at_call)) {
    if (which.least <= *most && *most < which.most) return Truth::open;
    return is(which.most <= *most);
  }
  if (asked.of == "comm_hierarchy") {
    return is(asked.value == "any" || asked.value == name_of(which.hierarchy));
  }
  if (asked.of != "comm_size") return Truth::open;
  if (asked.value == "any") return Truth::yes;
  if (asked.value == "node_comm_size") {
    return which.hierarchy == Hierarchy::parent ? Truth::open : Truth::no;
  }
  if (which.least != which.most) return Truth::open;
  return is(std::has_single_bit(static_cast<unsigned>(which.least)));
}

Chain specialise(const Chain& chain, const Communicators& which, bool at_call) {
  Chain special;
  for (const Node& each : chain) {
    if (each.leaf()) {
      special.push_back(each);
      continue;
    }
    const Question asked = question_in(each.key);
    at_call |= !of_communicator(asked);
    const Truth same = truth_of(asked, which, at_call);
    if (same == Truth::no) continue;
    Chain below = specialise(each.below, which, at_call);
    if (same == Truth::yes && special.empty()) return below;
    std::string key = same == Truth::yes ? fmt::format("{}=any", asked.of) : each.key;
    special.push_back(node(std::move(key), std::move(below)));
    if (same == Truth::yes) break;
  }
  return special;
}

}  // namespace

std::string_view name_of(Hierarchy hierarchy) {
  switch (hierarchy) {
    case Hierarchy::flat: return "flat";
    case Hierarchy::parent: return "parent";
    case Hierarchy::node: return "node";
    case Hierarchy::node_roots: break;
  }
  return "node_roots";
}

Chain specialise(const Chain& chain, const Communicators& which) {
  return specialise(chain, which, false);
}

}  // namespace breakeven::formats::mpich
