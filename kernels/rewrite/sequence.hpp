// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// One step of a sequence: the schedule of `problem`, for the rank that the problem names.
struct SequencePart {
  Problem problem;
  Schedule schedule;
};

/// Solves `whole` by running `first`, then `second` on its result: reduce then bcast is an
/// allreduce, as is reduce_scatter_block then allgather.
///
/// What passes between them lies in the result's buffer where that holds the whole vector and
/// `second` may find its input there, in scratch elsewhere. Copies that thereby copy in place are
/// dropped. Parts that cut the vector differently are refined to a cut that suits both.
/// @pre the output blocks of `first` are the input blocks of `second`
[[nodiscard]] Schedule sequence(const Problem& whole, SequencePart first, SequencePart second);

}  // namespace breakeven
