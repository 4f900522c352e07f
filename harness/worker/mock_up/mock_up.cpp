// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/mock_up/mock_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven::worker {

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

std::function<void()> mock_up(std::string_view name, Workspace& workspace, MPI_Comm comm) {
  const kernels::CollectiveCall& call = workspace.call();
  const int procs = call.problem.procs;
  const Blocks blocks = blocks_of(call);
  const std::int64_t longest = kernels::longest_block(call, procs);
  const std::int64_t element = extent(call.datatype).value;
  if (longest * procs * element > std::numeric_limits<int>::max()) {
    throw UsageError(fmt::format("{}: {} bytes of padded blocks are more than MPI's int can count",
                                 name, longest * procs * element));
  }
  const MockUpCall arguments{.in = workspace.input().data(),
                             .out = workspace.output().data(),
                             .count = static_cast<int>(call.count),
                             .type = executor::mpi_datatype(call.datatype),
                             .extent = static_cast<std::size_t>(element),
                             .op = native_op(call.op),
                             .root = call.problem.root.value,
                             .me = call.problem.me.value,
                             .procs = procs,
                             .comm = comm,
                             .blocks = blocks,
                             .longest = static_cast<int>(longest),
                             .total = blocks.displacements.back() + blocks.counts.back()};
  for (auto* const family : {collecting_mock_up, reducing_mock_up, spreading_mock_up}) {
    auto found = family(name, call.problem.collective, arguments);
    if (found) return found;
  }
  throw UsageError(
      fmt::format("{} has no mock-up '{}'", kCollectives.of(call.problem.collective), name));
}

}  // namespace breakeven::worker
