// SPDX-License-Identifier: BSD-3-Clause
#include "executor/block_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace breakeven::executor {

BlockMap::BlockMap(const kernels::Schedule& schedule, const kernels::CollectiveCall& call,
                   const Memory& memory)
    : schedule_{schedule}, call_{call}, memory_{memory} {
  const int procs = call.problem.procs;
  const int blocks = schedule.blocks;
  if (blocks < 1 || (counts_one_block(call.problem.collective) && blocks % procs != 0)) {
    throw Error(fmt::format("a schedule of {} blocks does not cut {} among {} processes", blocks,
                            kCollectives.of(call.problem.collective), procs));
  }
  const std::int64_t room = kernels::longest_block(call, blocks);
  for (const kernels::ScratchRun& run : schedule.scratch) {
    const bool any = run.first_block == kernels::ScratchRun::kAnyBlock;
    if (!any && (run.first_block < 0 || run.first_block + run.count > blocks)) {
      throw Error(fmt::format("the schedule's scratch names {} blocks from block {}, of {}",
                              run.count, run.first_block, blocks));
    }
    for (int block = run.first_block; block < run.first_block + run.count; ++block) {
      const std::int64_t elements = any ? room
                                        : kernels::block_begin(call, blocks, block + 1) -
                                              kernels::block_begin(call, blocks, block);
      slot_begin_.push_back(slot_begin_.back() + elements);
      any_before_.push_back(any_before_.back() + (any ? 1 : 0));
    }
  }
}

kernels::BlockRange BlockMap::range(kernels::Buffer buffer) const {
  return buffer == kernels::Buffer::input ? kernels::input_blocks(call_.problem, schedule_.blocks)
                                          : kernels::output_blocks(call_.problem, schedule_.blocks);
}

const std::vector<std::int64_t>& BlockMap::begins(kernels::Buffer buffer) const {
  const bool sent = buffer == kernels::Buffer::input && !call_.sent_begins.empty();
  return sent ? call_.sent_begins : call_.begins;
}

std::int64_t BlockMap::begin(kernels::Buffer buffer, int block) const {
  return kernels::block_begin(call_, begins(buffer), schedule_.blocks, block);
}

Run BlockMap::locate(kernels::Location at, int count) const {
  if (at.buffer == kernels::Buffer::scratch) return locate_slots(at.block, count);
  const kernels::BlockRange held = range(at.buffer);
  if (at.block < 0 || count < 0 || at.block + std::int64_t{count} > held.count) {
    throw Error(fmt::format("the schedule names {} blocks of its {} from block {}, of {}", count,
                            kernels::kBuffers.of(at.buffer), at.block, held.count));
  }
  const int first = held.first + at.block;
  const std::int64_t origin = begin(at.buffer, held.first);
  return run_of(at.buffer, begin(at.buffer, first) - origin,
                begin(at.buffer, first + count) - origin);
}

Run BlockMap::locate_slots(int first, int count) const {
  const auto slots = static_cast<std::int64_t>(slot_begin_.size()) - 1;
  if (first < 0 || count < 0 || first + std::int64_t{count} > slots) {
    throw Error(fmt::format("the schedule names {} slots of its scratch from slot {}, of {}", count,
                            first, slots));
  }
  const auto begin = static_cast<std::size_t>(first);
  const auto end = begin + static_cast<std::size_t>(count);
  Run run = run_of(kernels::Buffer::scratch, slot_begin_[begin], slot_begin_[end]);
  run.exact = any_before_[begin] == any_before_[end];
  return run;
}

/// Elements [begin, end) of the buffer, counted over all of its shares.
Run BlockMap::run_of(kernels::Buffer buffer, std::int64_t begin, std::int64_t end) const {
  Run run{.buffer = buffer, .elements = end - begin};
  if (begin == end) return run;
  const auto& [layout, shares] = memory_.of(buffer);
  if (shares.empty()) {
    run.pieces.push_back({layout.origin() + memory_.distance(buffer, begin), end - begin});
    return run;
  }
  const std::vector<std::int64_t>& of_shares = begins(buffer);
  const auto after = std::ranges::upper_bound(of_shares, begin);
  auto share = static_cast<std::size_t>(after - of_shares.begin()) - 1;
  for (; begin < end; ++share) {
    const std::int64_t stop = std::min(end, of_shares[share + 1]);
    if (begin == stop) continue;
    const Piece piece{
        layout.origin() + shares[share] + memory_.distance(buffer, begin - of_shares[share]),
        stop - begin};
    Piece* last = run.pieces.empty() ? nullptr : &run.pieces.back();
    if (last != nullptr &&
        last->offset + memory_.distance(buffer, last->elements) == piece.offset) {
      last->elements += piece.elements;
    } else {
      run.pieces.push_back(piece);
    }
    begin = stop;
  }
  return run;
}

Piece BlockMap::rest(const Run& run, std::int64_t elements_before) const {
  for (const Piece& piece : run.pieces) {
    if (elements_before < piece.elements) {
      return {piece.offset + memory_.distance(run.buffer, elements_before),
              piece.elements - elements_before};
    }
    elements_before -= piece.elements;
  }
  throw Error("binding: a run is shorter than what is asked of it");
}

bool BlockMap::cuts_elements(kernels::Buffer buffer) const {
  const Layout& layout = memory_.of(buffer).layout;
  if (layout.contiguous) return false;
  const kernels::BlockRange held = range(buffer);
  // Shares hold whole elements, so blocks may be counted from the buffer's beginning.
  const std::int64_t origin = begin(buffer, held.first);
  for (int block = held.first; block < held.first + held.count; ++block) {
    const std::int64_t before = begin(buffer, block) - origin;
    if (before * memory_.element_size % layout.size != 0) return true;
  }
  return false;
}

}  // namespace breakeven::executor
