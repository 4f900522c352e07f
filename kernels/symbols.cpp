// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "core/error.hpp"

namespace breakeven {

namespace {

constexpr int kWordBits = 64;

SymbolPtr contribution(int block, int rank) {
  Symbol symbol{.block = block, .ranks = {}, .in_rank_order = true, .first = rank, .last = rank};
  symbol.ranks.resize(static_cast<std::size_t>(rank / kWordBits) + 1);
  symbol.ranks.back() = std::uint64_t{1} << (rank % kWordBits);
  return std::make_shared<const Symbol>(std::move(symbol));
}

SymbolPtr reduced(const Symbol& a, const Symbol& b) {
  if (a.block != b.block) {
    throw VerificationError(fmt::format("reduces block {} with block {}", a.block, b.block));
  }
  Symbol sum{.block = a.block,
             .ranks = a.ranks,
             .in_rank_order = a.in_rank_order && b.in_rank_order && a.last + 1 == b.first,
             .first = a.first,
             .last = b.last};
  sum.ranks.resize(std::max(a.ranks.size(), b.ranks.size()));
  for (std::size_t word = 0; word < b.ranks.size(); ++word) {
    if (const std::uint64_t twice = sum.ranks[word] & b.ranks[word]; twice != 0) {
      throw VerificationError(
          fmt::format("counts the contribution of rank {} to block {} twice",
                      static_cast<int>(word) * kWordBits + std::countr_zero(twice), a.block));
    }
    sum.ranks[word] |= b.ranks[word];
  }
  return std::make_shared<const Symbol>(std::move(sum));
}

bool overlap_in_part(Location x, Location y, int count) {
  return x.buffer == y.buffer && x.block != y.block && std::abs(x.block - y.block) < count;
}

}  // namespace

bool Symbol::holds(int rank) const {
  const auto word = static_cast<std::size_t>(rank / kWordBits);
  return word < ranks.size() && ((ranks[word] >> (rank % kWordBits)) & 1U) != 0;
}

int Symbol::contributions() const {
  return std::accumulate(ranks.begin(), ranks.end(), 0,
                         [](int sum, std::uint64_t word) { return sum + std::popcount(word); });
}

SymbolicMemory::SymbolicMemory(const Problem& problem, const Schedule& schedule)
    : problem_{problem}, blocks_{schedule.blocks} {
  const auto append = [this](Buffer buffer, int block, const SymbolPtr& symbol) {
    buffers_.at(static_cast<std::size_t>(buffer)).push_back({block, symbol});
  };
  const BlockRange in = input_blocks(problem, blocks_);
  for (int block = in.first; block < in.first + in.count; ++block) {
    append(Buffer::input, block, contribution(block, problem.me.value));
  }
  const BlockRange out = output_blocks(problem, blocks_);
  for (int block = out.first; block < out.first + out.count; ++block) {
    append(Buffer::output, block, nullptr);
  }
  for (const auto& [first, count] : schedule.scratch) {
    for (int i = 0; i < count; ++i) {
      append(Buffer::scratch, first == ScratchRun::kAnyBlock ? first : first + i, nullptr);
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

std::vector<SymbolPtr> SymbolicMemory::read(Location from, int count) const {
  std::vector<SymbolPtr> symbols;
  symbols.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    symbols.push_back(slot(from, i).symbol);
    if (symbols.back() == nullptr) {
      throw VerificationError(fmt::format("reads {} before it is filled",
                                          to_text(Location{from.buffer, from.block + i})));
    }
  }
  return symbols;
}

void SymbolicMemory::write(Location into, std::span<const SymbolPtr> symbols) {
  if (into.buffer == Buffer::input) {
    throw VerificationError(
        fmt::format("writes {}", to_text(into, static_cast<int>(symbols.size()))));
  }
  for (int i = 0; i < static_cast<int>(symbols.size()); ++i) {
    const Slot& target = slot(into, i);
    const SymbolPtr& symbol = symbols[static_cast<std::size_t>(i)];
    if (target.block != ScratchRun::kAnyBlock && target.block != symbol->block) {
      throw VerificationError(
          fmt::format("puts block {} into {}, which is sized for block {}", symbol->block,
                      to_text(Location{into.buffer, into.block + i}), target.block));
    }
    buffers_.at(static_cast<std::size_t>(into.buffer))[static_cast<std::size_t>(into.block + i)]
        .symbol = symbol;
  }
}

void SymbolicMemory::apply(const Local& step) {
  if (const auto* copy = std::get_if<Copy>(&step)) {
    if (overlap_in_part(copy->from, copy->into, copy->count)) {
      throw VerificationError(
          fmt::format("copies {} onto a part of itself", to_text(copy->from, copy->count)));
    }
    write(copy->into, read(copy->from, copy->count));
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
  const auto a = read(step.a, step.count);
  const auto b = read(step.b, step.count);
  std::vector<SymbolPtr> result;
  result.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(reduced(*a[i], *b[i]));
  write(step.into, result);
}

bool SymbolicMemory::check_result() const {
  const BlockRange out = output_blocks(problem_, blocks_);
  bool in_rank_order = true;
  for (int i = 0; i < out.count; ++i) {
    const SymbolPtr symbol = read(output(i), 1).front();  // writes saw to it that it is the block
    if (reduces(problem_.collective)) {
      if (symbol->contributions() != problem_.procs) {
        throw VerificationError(fmt::format("ends with {} of {} contributions in {}",
                                            symbol->contributions(), problem_.procs,
                                            to_text(output(i))));
      }
      in_rank_order = in_rank_order && symbol->in_rank_order;
      continue;
    }
    const int owner = problem_.collective == Collective::allgather
                          ? symbol->block / (blocks_ / problem_.procs)
                          : problem_.root.value;
    if (symbol->contributions() != 1 || !symbol->holds(owner)) {
      throw VerificationError(
          fmt::format("ends with data not of rank {} in {}", owner, to_text(output(i))));
    }
  }
  return in_rank_order;
}

}  // namespace breakeven
