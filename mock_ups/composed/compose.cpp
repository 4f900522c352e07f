// SPDX-License-Identifier: BSD-3-Clause
#include "mock_ups/composed/compose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "mock_ups/composed/mock_up_call.hpp"

namespace breakeven::composed {

std::byte* MockUpCall::keep(std::int64_t elements) {
  kept = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(elements) * extent + 1);
  return kept->data();
}

int MockUpCall::longest_at() const {
  return static_cast<int>(std::ranges::max_element(blocks.counts) - blocks.counts.begin());
}

void MockUpCall::pad(const std::byte* vector, std::byte* padded) const {
  for (std::size_t i = 0; i < blocks.counts.size(); ++i) {
    std::memcpy(padded + i * place(longest), vector + place(blocks.displacements[i]),
                place(blocks.counts[i]));
  }
}

void MockUpCall::strip(const std::byte* padded, std::byte* vector) const {
  for (std::size_t i = 0; i < blocks.counts.size(); ++i) {
    std::memcpy(vector + place(blocks.displacements[i]), padded + i * place(longest),
                place(blocks.counts[i]));
  }
}

Run compose(const Composed& mock_up, const kernels::CollectiveCall& call, MPI_Datatype type,
            MPI_Op op, MPI_Comm comm) {
  const kernels::Problem& problem = call.problem;
  const kernels::IntBlocks blocks = kernels::int_blocks_of(call);
  const std::int64_t longest = kernels::longest_block(call, problem.procs);
  const std::int64_t element = extent(call.datatype).value;
  if (longest * problem.procs * element > std::numeric_limits<int>::max()) {
    throw UsageError(fmt::format("{}: {} bytes of padded blocks are more than MPI's int can count",
                                 to_text(mock_up), longest * problem.procs * element));
  }
  const MockUpCall arguments{.count = static_cast<int>(call.count),
                             .type = type,
                             .extent = static_cast<std::size_t>(element),
                             .op = op,
                             .root = problem.root.value,
                             .me = problem.me.value,
                             .procs = problem.procs,
                             .comm = comm,
                             .blocks = blocks,
                             .longest = static_cast<int>(longest),
                             .total = blocks.displacements.back() + blocks.counts.back()};
  for (auto* const family : {collecting_mock_up, reducing_mock_up, spreading_mock_up}) {
    if (Run found = family(mock_up.terms, problem.collective, arguments)) return found;
  }
  throw UsageError(
      fmt::format("{} has no mock-up '{}'", kCollectives.of(problem.collective), to_text(mock_up)));
}

}  // namespace breakeven::composed
