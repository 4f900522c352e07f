// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/case.hpp"
#include "core/names.hpp"
#include "core/units.hpp"
#include "kernels/algorithm.hpp"
#include "libraries/library_algorithm.hpp"
#include "stats/belief.hpp"

namespace breakeven::tables {

/// The algorithms that a table may choose besides native: those that its reader can call.
enum class Candidates : std::uint8_t {
  all,      ///< to know what is fastest
  ours,     ///< for programs that call this project's algorithms
  library,  ///< the MPI library's own: for the library itself
};
inline constexpr Names<Candidates, 3> kCandidates{
    "candidates",
    {{{Candidates::all, "all"}, {Candidates::ours, "ours"}, {Candidates::library, "library"}}}};

/// A choice this much slower than the fastest candidate is as good.
inline constexpr double kNearBest = 0.03;

/// How much a choice may be relied on. Later values are worse.
enum class Certainty : std::uint8_t {
  decided,    ///< within kNearBest of the fastest candidate with a probability of 95 %
  undecided,  ///< not so, or there was no other candidate to compare it with
  too_few,    ///< it rests on too few launches
};
inline constexpr Names<Certainty, 3> kCertainties{"certainty",
                                                  {{{Certainty::decided, "decided"},
                                                    {Certainty::undecided, "undecided"},
                                                    {Certainty::too_few, "too_few"}}}};
constexpr const auto& names(Certainty) { return kCertainties; }

/// native / another: above 1 the other is faster.
using Speedup = stats::RatioInterval;

/// The gain of a choice at a size that was measured.
struct SizeGain {
  Bytes message{};
  Speedup speedup{};
};

/// Of a rule whose parameters do not fit every p.
inline constexpr kernels::ProcsRequirement kMeasuredProcs{"the p measured",
                                                          [](int) { return false; }};

/// One choice for a range of message sizes, up to the next rule of the same problem.
struct Rule {
  Case what{};             ///< the choice; its `message` is the rule's first size, inclusive
  Bytes previous{};        ///< last size measured below: the true break-even point lies above it
  Bytes first_measured{};  ///< and is at most this; both are the same when there is none below
  Bytes last_measured{};
  kernels::ProcsRequirement requirement =
      kernels::kAnyProcs;  ///< of its algorithm and parameters, at a p that was not measured
  Certainty certainty = Certainty::too_few;  ///< the worst of the rule's sizes and of the counts
                                             ///< that were measured at each, as is all that follows
  std::optional<Speedup> speedup{};          ///< where it is smallest
  double near_best = 0;  ///< probability that the choice is within kNearBest of the fastest
  std::vector<Variant> rivals{};      ///< where that probability is least: see tuner::Decision
  int launches = 0;                   ///< of the choice, where there are fewest
  bool oversubscribed = false;        ///< more processes than cores at some size
  int sizes = 1;                      ///< measured ones that it covers
  int decided_sizes = 0;              ///< of them, those where the choice is decided
  std::vector<SizeGain> gains{};      ///< where the choice and native were measured, by size
  std::optional<double> steepness{};  ///< at its first size, from the choice below: see there
};

/// A table's choice for one call.
struct Choice {
  Variant variant = Native{};
  bool measured = false;  ///< the layout itself was measured; of a library's table, its p
  bool decided = false;   ///< and the choice was decided there
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// The geometric mean; its interval holds also if all sizes err in one direction together.
/// @pre gains are not empty
[[nodiscard]] Speedup mean_speedup(std::span<const SizeGain> gains);

/// Which algorithm to use on one machine for one data type, operation and root. Its rules are for
/// blocking calls, those of the library's own algorithms for nonblocking ones as well.
struct Table {
  Candidates candidates = Candidates::all;
  Datatype datatype = Datatype::int_;
  Op op = Op::none;           ///< of the collectives that reduce; none when there are none of them
  Rank root{};                ///< of the rooted collectives
  std::vector<Rule> rules{};  ///< by `place_of`, then size
  /// Of a library's table: the layouts that it leaves out, and what that costs, a line each.
  std::vector<std::string> lost_layouts{};

  /// The choice for a call on any layout and of any size, measured or not.
  ///
  /// Sizes below the first rule belong to it. A layout that was not measured takes the rule of the
  /// nearest one under its mapping (see `distance`; of two, the first), or native when that rule's
  /// algorithm can't run at p with its parameters. Native as well when the collective was not
  /// measured in this form under this mapping.
  ///
  /// A library's table knows no layouts: the nearest p by ratio decides. A library's own algorithm
  /// is chosen only between the least and the greatest p measured, or where the library takes a
  /// single one (`libraries::takes_one_algorithm`), and where it runs as it is named (elements as
  /// large as the table's): else native.
  /// @param problem  its datatype, op, root, counts and variant choose nothing
  [[nodiscard]] Choice choose(const Case& problem) const;
  /// The rule that `choose` looks at there; null where the collective was not measured in this form
  /// under this mapping.
  [[nodiscard]] const Rule* find_rule(const Case& problem) const;
  /// The choice of one of its rules for a call: the rule's own, or native.
  [[nodiscard]] Choice follow(const Rule& rule, const Case& problem) const;
  /// Whether any of its rules was measured on several nodes.
  [[nodiscard]] bool on_several_nodes() const;
};

/// The key by which a table's rules are looked up before p and size.
[[nodiscard]] inline auto key_of(const Case& what) {
  return std::tie(what.collective, what.form, what.mapping);
}

/// The key of the rules that differ in their size alone.
[[nodiscard]] inline auto place_of(const Case& what) {
  return std::tuple_cat(key_of(what),
                        std::tie(what.procs, what.nodes, what.procs_per_node, what.comms_per_node));
}

/// How far a layout is from another one, at least 1: the ratio of their numbers of nodes, times
/// that of processes per node, times that of communicators per node; one node and several are four
/// times as far apart. Layouts of one node are as far apart as their p.
[[nodiscard]] double distance(const Case& one, const Case& other);

/// A problem with the variant that a table chooses for it.
[[nodiscard]] Case chosen(const Table& table, Case problem);
/// The variant that performs a program's call: by its table, else by that of the MPI library.
/// @param library  null: none
[[nodiscard]] Variant choice_of(const Table& table, const Table* library, const Case& problem);

}  // namespace breakeven::tables
