// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"

namespace breakeven::kernels {

namespace {

bool overlap_in_part(Location x, Location y, int count) {
  return x.buffer == y.buffer && x.block != y.block && std::abs(x.block - y.block) < count;
}

/// The block that belongs at a place of the output: of an alltoall, for this rank.
int block_at_output(const Problem& problem, int blocks, int place) {
  if (!personalised(problem.collective)) return place;
  const int share = blocks / problem.procs;
  return problem.me.value * share + place % share;
}

bool takes_any(int block) { return block == ScratchRun::kAnyBlock; }

}  // namespace

SymbolicMemory::SymbolicMemory(const Problem& problem, const Schedule& schedule,
                               Expressions& expressions)
    : problem_{problem}, blocks_{schedule.blocks}, expressions_{&expressions} {
  const auto buffer = [this](Buffer name) -> std::vector<Slot>& {
    return buffers_.at(static_cast<std::size_t>(name));
  };
  const BlockRange in = input_blocks(problem, blocks_);
  for (int block = in.first; block < in.first + in.count; ++block) {
    const Symbol own{block, expressions.contribution(problem.me.value)};
    buffer(Buffer::input).push_back({block, own, 0, false});
  }
  const BlockRange out = output_blocks(problem, blocks_);
  for (int block = out.first; block < out.first + out.count; ++block) {
    buffer(Buffer::output).push_back({block_at_output(problem, blocks_, block), {}, 0, false});
  }
  auto& slots = buffer(Buffer::scratch);
  for (const auto& [first, count] : schedule.scratch) {
    const int run_end = static_cast<int>(slots.size()) + count;
    for (int i = 0; i < count; ++i) {
      slots.push_back({takes_any(first) ? first : first + i, {}, run_end, i == 0});
    }
  }
  if (moves_data(problem.collective)) return;
  heard_.resize(static_cast<std::size_t>(problem.procs));
  heard_[static_cast<std::size_t>(problem.me.value)] = true;
}

/// Of slots that take any block only the run's room is known, not where a block in it begins; so
/// they are used from the run's first slot on, and together with no others.
void SymbolicMemory::require_run(Location at, int count) const {
  for (int i = 0; i < count; ++i) {
    const Slot& touched = slot(at, i);
    if (!takes_any(touched.block)) continue;
    const Slot& first = slot(at, 0);
    if (!first.begins_run || !takes_any(first.block) || at.block + count > first.run_end) {
      throw VerificationError(
          fmt::format("touches {} across or inside slots that take any block", to_text(at, count)));
    }
  }
}

const SymbolicMemory::Slot& SymbolicMemory::slot(Location at, int offset) const {
  const auto& buffer = buffers_.at(static_cast<std::size_t>(at.buffer));
  const int index = at.block + offset;
  if (index < 0 || index >= static_cast<int>(buffer.size())) {
    throw VerificationError(fmt::format("touches {}, the buffer has {} blocks",
                                        to_text(Location{at.buffer, index}), buffer.size()));
  }
  return buffer[static_cast<std::size_t>(index)];
}

std::vector<Symbol> SymbolicMemory::read(Location from, int count) const {
  require_run(from, count);
  std::vector<Symbol> symbols;
  symbols.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    symbols.push_back(slot(from, i).symbol);
    if (symbols.back().value == nullptr) {
      throw VerificationError(fmt::format("reads {} before it is filled",
                                          to_text(Location{from.buffer, from.block + i})));
    }
  }
  return symbols;
}

/// Whether the place is sized for the block. Those of an alltoall are all alike; the size of an
/// irregular one's is known to its source and its destination alone.
bool SymbolicMemory::fits(const Symbol& symbol, Location into) const {
  const int block = slot(into, 0).block;
  const Collective collective = problem_.collective;
  if (!personalised(collective)) return takes_any(block) || block == symbol.block;
  const int share = blocks_ / problem_.procs;
  if (!irregular(collective)) return takes_any(block) || block % share == symbol.block % share;
  const int source = into.buffer == Buffer::output ? into.block / share : problem_.me.value;
  return block == symbol.block && symbol.value->ranks.holds(source);
}

void SymbolicMemory::write(Location into, int count, std::span<const Symbol> symbols) {
  if (into.buffer == Buffer::input && count > 0) {
    throw VerificationError(fmt::format("writes {}", to_text(into, count)));
  }
  require_run(into, count);
  auto& buffer = buffers_.at(static_cast<std::size_t>(into.buffer));
  const auto at = [&](int index) -> Slot& { return buffer[static_cast<std::size_t>(index)]; };
  for (int i = 0; i < count; ++i) {
    const Symbol& symbol = symbols[static_cast<std::size_t>(i)];
    const Slot& target = slot(into, i);
    if (!fits(symbol, {into.buffer, into.block + i})) {
      throw VerificationError(
          fmt::format("puts block {} into {}, which is sized for block {}", symbol.block,
                      to_text(Location{into.buffer, into.block + i}), target.block));
    }
    at(into.block + i).symbol = symbol;
  }
  if (count > 0 && takes_any(at(into.block).block)) {  // other blocks in the room are lost
    for (int i = into.block + count; i < at(into.block).run_end; ++i) at(i).symbol = {};
  }
}

void SymbolicMemory::hear(const SymbolicMemory& sender) {
  for (std::size_t rank = 0; rank < heard_.size(); ++rank) {
    if (sender.telling_[rank]) heard_[rank] = true;
  }
}

void SymbolicMemory::apply(const Local& step) {
  if (const auto* copy = std::get_if<Copy>(&step)) {
    if (overlap_in_part(copy->from, copy->into, copy->count)) {
      throw VerificationError(
          fmt::format("copies {} onto a part of itself", to_text(copy->from, copy->count)));
    }
    write(copy->into, copy->count, read(copy->from, copy->count));
  } else {
    reduce(std::get<Reduce>(step));
  }
}

void SymbolicMemory::reduce(const Reduce& step) {
  if (overlap_in_part(step.a, step.into, step.count) ||
      overlap_in_part(step.b, step.into, step.count)) {
    throw VerificationError(
        fmt::format("reduces into {}, a part of an operand", to_text(step.into, step.count)));
  }
  std::vector<Symbol> result = read(step.a, step.count);
  const std::vector<Symbol> right = read(step.b, step.count);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto& [block, a] = result[i];
    const Expression* b = right[i].value;
    if (block != right[i].block) {
      throw VerificationError(fmt::format("reduces block {} with block {}", block, right[i].block));
    }
    if (const auto twice = a->ranks.common(b->ranks)) {
      throw VerificationError(
          fmt::format("counts the contribution of rank {} to block {} twice", *twice, block));
    }
    result[i].value = expressions_->reduced(a, b);
  }
  write(step.into, step.count, result);
}

/// Of a scan: the contributions of all ranks up to this one, of an exscan without its own.
void SymbolicMemory::require_prefix(const Expression& value, int block) const {
  const int last = problem_.me.value - (problem_.collective == Collective::exscan ? 1 : 0);
  const auto ranks = value.ranks.interval();
  if (ranks && ranks->first == 0 && ranks->last == last) return;
  throw VerificationError(
      fmt::format("ends with other contributions than those of ranks 0 to {} in {}", last,
                  to_text(output(block))));
}

/// The rank whose data belong in this block of the output.
int SymbolicMemory::owner_of(int place, int block) const {
  if (collects(problem_.collective)) return block / (blocks_ / problem_.procs);
  return personalised(problem_.collective) ? place / (blocks_ / problem_.procs)
                                           : problem_.root.value;
}

std::vector<Symbol> SymbolicMemory::checked_result() const {
  if (const auto silent = std::ranges::find(heard_, false); silent != heard_.end()) {
    throw VerificationError(
        fmt::format("ends before it has heard that rank {} began", silent - heard_.begin()));
  }
  // The writes have seen to which block it is, but for an alltoall.
  std::vector<Symbol> result = read(output(0), output_blocks(problem_, blocks_).count);
  for (int i = 0; i < static_cast<int>(result.size()); ++i) {
    const auto& [block, value] = result[static_cast<std::size_t>(i)];
    if (scans(problem_.collective)) {
      require_prefix(*value, i);
      continue;
    }
    if (reduces(problem_.collective)) {
      if (value->ranks.count() == problem_.procs) continue;
      throw VerificationError(fmt::format("ends with {} of {} contributions in {}",
                                          value->ranks.count(), problem_.procs,
                                          to_text(output(i))));
    }
    const int owner = owner_of(i, block);
    const int destined = block_at_output(problem_, blocks_, i);
    if (personalised(problem_.collective) && block != destined) {
      throw VerificationError(fmt::format("ends with block {} in {}", block, to_text(output(i))));
    }
    if (value->ranks.count() != 1 || !value->ranks.holds(owner)) {
      throw VerificationError(
          fmt::format("ends with data not of rank {} in {}", owner, to_text(output(i))));
    }
  }
  return result;
}

}  // namespace breakeven::kernels
