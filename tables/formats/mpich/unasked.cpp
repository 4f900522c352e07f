// SPDX-License-Identifier: BSD-3-Clause
#include <bit>
#include <string_view>

#include "libraries/conditions.hpp"
#include "tables/formats/mpich/check.hpp"

namespace breakeven::formats::mpich {

namespace {

constexpr std::string_view kScheduled = "sched_";  // of the same algorithm, nonblocking

/// Whether limits alone let nothing but powers of two through: one, or 1 and 2.
bool powers_of_two(const Path& path) {
  const auto is = [](std::int64_t procs) {
    return std::has_single_bit(static_cast<std::uint64_t>(procs));
  };
  const Limits procs = path.known.of("comm_size");
  return is(procs.least) && is(procs.most) && procs.most - procs.least <= 1;
}

}  // namespace

bool own_choice(const libraries::LibraryAlgorithm& algorithm, const Path& path) {
  constexpr int kLong = 524288;   // total bytes from which a ring and pairwise exchanges are usual
  constexpr int kMedium = 81920;  // the ring where p is no power of two
  std::string_view name = algorithm.name;
  if (name.starts_with(kScheduled)) name.remove_prefix(kScheduled.size());
  if (name == "noncommutative") return path.known.holds("is_commutative=no");
  const std::int64_t least_bytes = path.known.of("total_msg_size").least;
  if (name == "pairwise") return least_bytes >= kLong;
  if (name != "ring") return false;
  const bool no_power = path.known.answer({"comm_size", "=", "pow2"}, path.at_call) == false;
  return least_bytes >= (no_power ? kMedium : kLong);
}

std::vector<std::string> unasked_requirements(const libraries::LibraryAlgorithm& algorithm,
                                              Layer layer, const Path& path) {
  std::vector<std::string> unasked;
  const auto need = [&](const std::string& answer) {
    if (!path.known.holds(answer)) unasked.push_back(answer);
  };
  const auto runs_only = [&](const libraries::Condition& condition) {
    return algorithm.runs.text == condition.text;
  };
  if (runs_only(libraries::conditions::kElementForEachOfPowerOfTwo) &&
      !path.known.fails("count<pow2")) {
    unasked.emplace_back("count>=pow2");
  }
  if (algorithm.demands(libraries::Demand::built_in)) need("is_op_built_in=yes");
  if (algorithm.demands(libraries::Demand::commuting)) need("is_commutative=yes");
  if (algorithm.demands(libraries::Demand::equal_counts)) need("is_block_regular=yes");
  if (runs_only(libraries::conditions::kOneNode)) need("comm_size=node_comm_size");
  const bool needs_power = runs_only(libraries::conditions::kPowerOfTwo) ||
                           runs_only(libraries::conditions::kPowerOfTwoAndEqualCounts);
  if (needs_power && !powers_of_two(path)) need("comm_size=pow2");
  // Empty calls don't come so far: MPICH's own trees leave them to it unguarded.
  if (runs_only(libraries::conditions::kSharedNode) && path.known.of("avg_msg_size").most > 0) {
    need("comm_hierarchy=parent");
  }
  if (runs_only(libraries::conditions::kInPlace)) {
    need("is_sendbuf_inplace=yes");
  } else if (layer == Layer::mpir && personalised(algorithm.collective) && algorithm.name != "nb") {
    need("is_sendbuf_inplace=no");
  }
  // Between groups there is no scan, though MPICH's own trees name one. A nonblocking one looks for
  // itself, and runs another algorithm.
  if (runs_only(libraries::conditions::kSharedConsecutiveNode) &&
      !algorithm.name.starts_with(kScheduled) && !path.known.holds("comm_type=inter")) {
    need("is_node_consecutive=yes");
  }
  return unasked;
}

}  // namespace breakeven::formats::mpich
