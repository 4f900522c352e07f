// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/known.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace breakeven::formats::mpich {

namespace {

constexpr std::string_view kSize = "comm_size";

std::string key_of(const Question& asked) {
  return fmt::format("{}{}{}", asked.of, asked.sign, asked.value);
}

/// The largest number that a limit lets pass; nothing where it depends on the communicator.
std::optional<std::int64_t> most(const Question& asked, bool at_call) {
  const auto value = asked.limit();
  if (!value || asked.sign == "=" || asked.of == "comm_avg_ppn") return std::nullopt;
  const bool or_equal = asked.sign == "<=" || (at_call && asked.of == kSize);
  return or_equal ? *value : *value - 1;
}

/// "no" of "yes"; empty where there is no other answer.
std::string_view other_answer(std::string_view value) {
  if (value == "yes") return "no";
  if (value == "no") return "yes";
  if (value == "intra") return "inter";
  return value == "inter" ? "intra" : "";
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

Limits Known::of(std::string_view number) const {
  const auto found = limits_.find(number);
  return found == limits_.end() ? Limits{.least = number == kSize ? 1 : 0} : found->second;
}

bool Known::holds(std::string_view key) const { return held_.contains(key); }
bool Known::fails(std::string_view key) const { return failed_.contains(key); }

std::optional<bool> Known::answer(const Question& asked, bool at_call) const {
  if (asked.value == "any") return true;
  if (const auto limit = most(asked, at_call)) {
    const Limits known = of(asked.of);
    if (known.most <= *limit) return true;
    return *limit < known.least ? std::optional{false} : std::nullopt;
  }
  const std::string key = key_of(asked);
  if (holds(key)) return true;
  if (fails(key)) return false;
  if (asked.of != kSize) return std::nullopt;
  if (asked.value == "node_comm_size") {
    for (const Hierarchy each : {Hierarchy::flat, Hierarchy::node, Hierarchy::node_roots}) {
      if (holds(fmt::format("comm_hierarchy={}", name_of(each)))) return false;
    }
  }
  if (asked.value != "pow2") return std::nullopt;
  const Limits procs = of(kSize);
  const auto power = std::bit_ceil(static_cast<std::uint64_t>(procs.least));
  if (power > static_cast<std::uint64_t>(procs.most)) return false;
  return procs.least == procs.most ? std::optional{true} : std::nullopt;
}

void Known::add(const Question& asked, bool holds, bool at_call) {
  if (asked.value == "any") return;
  if (const auto limit = most(asked, at_call)) {
    Limits known = of(asked.of);
    if (holds) {
      known.most = std::min(known.most, *limit);
    } else {
      known.least = std::max(known.least, *limit + 1);
    }
    limits_.insert_or_assign(std::string{asked.of}, known);
    return;
  }
  (holds ? held_ : failed_).insert(key_of(asked));
  if (const std::string_view other = other_answer(asked.value); !other.empty()) {
    (holds ? failed_ : held_).insert(fmt::format("{}={}", asked.of, other));
  }
  if (!holds || asked.of != "comm_hierarchy") return;
  for (const Hierarchy each :
       {Hierarchy::flat, Hierarchy::parent, Hierarchy::node, Hierarchy::node_roots}) {
    if (name_of(each) != asked.value) failed_.insert(fmt::format("{}={}", asked.of, name_of(each)));
  }
}

}  // namespace breakeven::formats::mpich
