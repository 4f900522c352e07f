// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/catalogue.hpp"

namespace breakeven::kernels {

/// Variants with equal schedules.
struct Equals {
  std::vector<Instance> variants{};
  int ranks = 0;  ///< whose schedules were compared

  /// "identical", or where not all ranks were compared "identical on 128 of 4096 ranks".
  [[nodiscard]] std::string text(int procs) const;
};

/// Finds which variants are equal on a problem: on each rank the same messages and local steps, in
/// the same order. Compares 64 bits of a hash of each rank's schedule, and remembers them.
///
/// Up to kMostWhole processes all ranks are compared; beyond 128 of them, of long schedules 16 or
/// more: the ends, the root and the ranks around powers of two and around the borders of nodes,
/// where algorithms differ; then ranks at equal distances.
class EqualSchedules {
 public:
  /// @param problem  its `me` and `params` are ignored
  explicit EqualSchedules(Problem problem);

  /// @pre both run there
  [[nodiscard]] bool equal(const Instance& one, const Instance& other);

  /// The variants in groups of equal schedules: groups by their first members, and these, in the
  /// order of `variants`.
  [[nodiscard]] std::vector<Equals> groups(std::span<const Instance> variants);

 private:
  struct Known {
    std::size_t ranks = 0;                ///< to be compared
    std::vector<std::uint64_t> hashes{};  ///< of the first of these
  };
  Known& known(const Instance& variant);
  [[nodiscard]] std::uint64_t hash_at(Known& known, const Instance& variant, std::size_t index);

  Problem problem_;
  std::vector<Rank> ranks_;
  std::map<std::string, Known> known_{};
};

/// The algorithms that run a problem without parameters, in the order of the catalogue.
[[nodiscard]] std::vector<Instance> plain_variants(const Problem& problem);

}  // namespace breakeven::kernels
