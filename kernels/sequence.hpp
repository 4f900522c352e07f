// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// One step of a sequence: the schedule of `problem`, for the rank that the problem names.
struct Part {
  Problem problem;
  Schedule schedule;
};

/// Runs `first`, then `second` on its result: reduce then bcast is an allreduce, as is
/// reduce_scatter_block then allgather.
///
/// The result's output holds the whole vector; the output of `first` and the input of `second`
/// become the blocks of it that they stand for. Copies that thereby copy in place are dropped.
/// @pre both cut the vector into equally many blocks
[[nodiscard]] Schedule sequence(const Part& first, const Part& second);

}  // namespace breakeven
