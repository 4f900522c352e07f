// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/catalogue.hpp"

namespace breakeven::kernels {

/// The algorithms that run a problem, without parameters and in the order of the catalogue, then
/// those of `others` that are not among them: in groups whose schedules are equal on every rank.
/// What is measured of one of a group holds for all; its first names it.
///
/// Equal are schedules with the same rounds of messages and the same local steps, up to
/// * the order of a round's messages with different ranks: all are posted at once, and MPI matches
///   those between two ranks in order;
/// * the numbers of scratch slots;
/// * rounds without messages, whose local steps follow those of the round before.
/// @param problem  its `me` and `params` are ignored
/// @pre `others` run there
[[nodiscard]] std::vector<std::vector<Variant>> equal_algorithms(
    const Problem& problem, std::span<const Variant> others = {});

/// Under which names a sweep measures cases: of the first algorithms with equal schedules. A case
/// whose algorithm is none of ours or can't run keeps its own.
class MeasuredNames {
 public:
  /// @return  a case with another name perhaps, and without size and counts: the same for all
  [[nodiscard]] const Case& of(Case what);

 private:
  std::map<Case, Case> known_;
};

/// The other names of what these cases measured: "allreduce/recursive_doubling at p = 2, 4: also
/// elimination_21, elimination_32". Parameters besides a case's own are not considered, nor are the
/// libraries' algorithms.
[[nodiscard]] std::vector<std::string> other_names(std::span<const Case> cases);

}  // namespace breakeven::kernels
