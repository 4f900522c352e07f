// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/expression.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace breakeven::kernels {

namespace {

bool ordered(const Expression& a, const Expression& b) {
  const auto left = a.ranks.interval();
  const auto right = b.ranks.interval();
  return a.in_rank_order && b.in_rank_order && left && right && left->last + 1 == right->first;
}

}  // namespace

template <typename T>
std::size_t Expressions::Hash::operator()(const Pair<T>& pair) const {
  constexpr std::size_t kGoldenRatio = 0x9e3779b97f4a7c15;
  return std::hash<T>{}(pair.a) * kGoldenRatio ^ std::hash<T>{}(pair.b);
}

Expressions::Expressions(int procs) {
  for (int rank = 0; rank < procs; ++rank) {
    all_.push_back({.ranks = {procs, rank}, .in_rank_order = true, .shape = rank});
  }
}

const Expression* Expressions::contribution(int rank) const {
  return &all_[static_cast<std::size_t>(rank)];
}

const Expression* Expressions::reduced(const Expression* a, const Expression* b) {
  const auto [found, added] = reduced_.try_emplace({a, b}, nullptr);
  if (added) {
    const auto [low, high] = std::minmax(a->shape, b->shape);
    const int unseen = static_cast<int>(all_.size());  // no shape has more than its expressions
    const int shape = shapes_.try_emplace({low, high}, unseen).first->second;
    found->second = &all_.emplace_back(Expression{
        .ranks = a->ranks.joined(b->ranks), .in_rank_order = ordered(*a, *b), .shape = shape});
  }
  return found->second;
}

const Expression* Expressions::along_tree(int count) {
  return along_tree(0, static_cast<int>(std::bit_ceil(static_cast<unsigned>(count))), count);
}

/// The subtree of `size` leaves from `first` on, of which those from `end` on are absent.
const Expression* Expressions::along_tree(int first, int size, int end) {
  if (size == 1) return contribution(first);
  const Expression* const lower = along_tree(first, size / 2, end);
  const int middle = first + size / 2;
  return middle < end ? reduced(lower, along_tree(middle, size / 2, end)) : lower;
}

}  // namespace breakeven::kernels
