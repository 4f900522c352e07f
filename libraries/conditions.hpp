// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"

namespace breakeven::libraries::conditions {

/// Elements as MPI's count argument has them.
[[nodiscard]] inline std::int64_t count(const Case& what) {
  return what.message.value / extent(what.datatype).value;
}
[[nodiscard]] inline int power_of_two_below(int procs) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(procs)));
}

/// Several processes on each of several nodes, equally many.
[[nodiscard]] inline bool several_shared_nodes(const Case& what) {
  return what.nodes > 1 && what.procs_per_node > 1 &&
         what.nodes * what.procs_per_node == what.procs;
}

inline constexpr Condition kAlways{"nothing", [](const Case&) { return true; }};
inline constexpr Condition kTwoProcs{"p = 2", [](const Case& what) { return what.procs == 2; }};
inline constexpr Condition kEven{"p even", [](const Case& what) { return what.procs % 2 == 0; }};
inline constexpr Condition kPowerOfTwo{"p a power of two", [](const Case& what) {
                                         return power_of_two_below(what.procs) == what.procs;
                                       }};
inline constexpr Condition kPowerOfTwoAndEqualCounts{
    "p a power of two, and equal counts",
    [](const Case& what) { return kPowerOfTwo.met(what) && what.counts == Counts::equal; }};
inline constexpr Condition kElementForEachProcess{
    "at least p elements", [](const Case& what) { return count(what) >= what.procs; }};
inline constexpr Condition kElementForEachOfPowerOfTwo{
    "at least 2^floor(log2 p) elements",
    [](const Case& what) { return count(what) >= power_of_two_below(what.procs); }};
/// Of MPICH's levels: a communicator knows its nodes where some have several processes, even on
/// one.
inline constexpr Condition kSharedNode{"several processes on some node",
                                       [](const Case& what) { return what.nodes < what.procs; }};
/// Of MPICH's scan by levels, whose nodes' shares must be intervals of ranks.
inline constexpr Condition kSharedConsecutiveNode{
    "several processes on some node, and ranks that fill one node after the other",
    [](const Case& what) {
      const auto nodes = nodes_of_ranks(layout_of(what));
      return kSharedNode.met(what) && std::ranges::is_sorted(nodes);
    }};
/// Cases have two buffers.
inline constexpr Condition kInPlace{"buffers in place", [](const Case&) { return false; }};

/// Of a GPU's own collectives.
inline constexpr Condition kOnGpus{"buffers in the memory of GPUs",
                                   [](const Case&) { return false; }};

inline constexpr Condition kOneNode{"all processes on one node",
                                    [](const Case& what) { return what.nodes == 1; }};
/// Of the compositions with several leaders on a node.
inline constexpr Condition kElementForEachLeader{
    "several nodes, equally many processes on each, more than one, and at least one element "
    "for each leader of a node",
    [](const Case& what) {
      return several_shared_nodes(what) && count(what) >= mpich::leaders(what.procs_per_node);
    }};
inline constexpr Condition kSharedBlocks{
    "several nodes, equally many processes on each, more than one, one node's after the other's, "
    "and blocks of at most 4096 bytes",
    [](const Case& what) {
      return several_shared_nodes(what) && what.mapping == Mapping::seq &&
             what.message <= mpich::kLargestSharedBlock;
    }};

/// Of Open MPI's coll/han: elsewhere it hands over to coll/tuned.
inline constexpr Condition kSharedNodes{
    "several nodes, and several processes on some of them",
    [](const Case& what) { return what.nodes > 1 && what.nodes < what.procs; }};
inline constexpr Condition kEqualSharedNodes{
    "several nodes, and equally many processes on each, more than one", several_shared_nodes};

// The demands on calls, and the effects on calls that don't meet them.
inline constexpr std::string_view kWrong = "wrong results";
inline constexpr std::string_view kEnds = "ends the program";
inline constexpr std::string_view kHangs = "hangs";
inline constexpr std::array<Requirement, 0> kAnyCall{};
inline constexpr std::array kCommuting{Requirement{Demand::commuting, kWrong}};
inline constexpr std::array kNoGaps{Requirement{Demand::types_without_gaps, kWrong}};
inline constexpr std::array kNotBelow{Requirement{Demand::not_below, kEnds}};
inline constexpr std::array kCommutingNotBelow{Requirement{Demand::commuting, kWrong},
                                               Requirement{Demand::not_below, kEnds}};
inline constexpr std::array kCommutingNotInPlace{Requirement{Demand::commuting, kWrong},
                                                 Requirement{Demand::not_in_place, kEnds}};
inline constexpr std::array kSameTypesOrEnds{Requirement{Demand::same_types, kEnds}};
inline constexpr std::array kBuiltIn{Requirement{Demand::built_in, kEnds}};

}  // namespace breakeven::libraries::conditions
