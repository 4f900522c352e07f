// SPDX-License-Identifier: BSD-3-Clause
#include "executor/block_map.hpp"

namespace breakeven::executor {

namespace {

void append(Piece piece, std::int64_t end_of_last, std::vector<Piece>& pieces) {
  if (piece.elements == 0) return;
  if (!pieces.empty() && end_of_last == piece.offset) {
    pieces.back().elements += piece.elements;
  } else {
    pieces.push_back(piece);
  }
}

}  // namespace

void BlockMap::cut(const kernels::CollectiveCall& call, const Memory& memory, int blocks) {
  const kernels::Problem& problem = call.problem;
  const bool two = !call.sent_begins.empty();
  buffers_[0].element_size = memory.element_size;
  buffers_[1].element_size = memory.element_size;
  cut_buffer(buffers_[0], memory.input, call, two ? call.sent_begins : call.begins,
             kernels::input_blocks(problem, blocks), blocks);
  cut_buffer(buffers_[1], memory.output, call, call.begins, kernels::output_blocks(problem, blocks),
             blocks);
}

/// As kernels::block_begin() has them, without a division for each block.
void BlockMap::cut_buffer(Cut& cut, const BufferMemory& buffer, const kernels::CollectiveCall& call,
                          const std::vector<std::int64_t>& shares, kernels::BlockRange held,
                          int blocks) {
  cut.layout = buffer.layout;
  const int cuts = counts_one_block(call.problem.collective) ? blocks / call.problem.procs : blocks;
  const auto first = static_cast<std::size_t>(held.first / cuts);
  const auto last = static_cast<std::size_t>((held.first + held.count) / cuts);
  const bool placed = !buffer.shares.empty();
  cut.begins.resize((last - first) * static_cast<std::size_t>(cuts) + 1);
  cut.places.resize(placed ? cut.begins.size() - 1 : 0);
  std::int64_t* begin = cut.begins.data();
  std::int64_t* place = cut.places.data();
  std::int64_t end = 0;
  *begin++ = end;
  for (std::size_t share = first; share < last; ++share) {
    const std::int64_t length = shares.empty() ? call.count : shares[share + 1] - shares[share];
    const std::int64_t each = cuts == 1 ? length : length / cuts;  // a division takes 10 ns
    const std::int64_t longer = length - each * cuts;
    const std::int64_t before = end;
    for (int i = 0; i < cuts; ++i) {
      if (placed) {
        *place++ = buffer.layout.origin() + buffer.shares[share] + cut.distance(end - before);
      }
      end += each + (i < longer ? 1 : 0);
      *begin++ = end;
    }
  }
}

void BlockMap::lay_out(const std::vector<int>& slots, const kernels::CollectiveCall& call,
                       const Memory& memory, int blocks) {
  Cut& scratch = buffers_[2];
  scratch.layout = memory.scratch.layout;
  scratch.element_size = memory.element_size;
  scratch.begins.assign(1, 0);
  any_before_.assign(1, 0);
  std::int64_t longest = -1;
  for (const int block : slots) {
    const bool any = block == kernels::ScratchRun::kAnyBlock;
    if (any && longest < 0) longest = kernels::longest_block(call, blocks);
    const std::int64_t elements = any ? longest
                                      : kernels::block_begin(call, blocks, block + 1) -
                                            kernels::block_begin(call, blocks, block);
    scratch.begins.push_back(scratch.begins.back() + elements);
    any_before_.push_back(any_before_.back() + (any ? 1 : 0));
  }
}

void BlockMap::append(kernels::Location at, int count, std::vector<Piece>& pieces) const {
  const Cut& cut = of(at.buffer);
  const auto end_of_last = [&] {
    return pieces.empty() ? 0 : pieces.back().offset + cut.distance(pieces.back().elements);
  };
  const auto first = static_cast<std::size_t>(at.block);
  const auto end = first + static_cast<std::size_t>(count);
  if (cut.places.empty()) {
    const Piece piece{cut.layout.origin() + cut.distance(cut.begins[first]),
                      cut.begins[end] - cut.begins[first]};
    return executor::append(piece, end_of_last(), pieces);
  }
  for (std::size_t block = first; block < end; ++block) {
    executor::append({cut.places[block], cut.begins[block + 1] - cut.begins[block]}, end_of_last(),
                     pieces);
  }
}

bool BlockMap::cuts_elements(kernels::Buffer buffer) const {
  const Cut& cut = of(buffer);
  if (cut.layout.contiguous) return false;
  // Shares hold whole elements, so blocks may be counted from the buffer's beginning.
  for (const std::int64_t before : cut.begins) {
    if (before * cut.element_size % cut.layout.size != 0) return true;
  }
  return false;
}

}  // namespace breakeven::executor
