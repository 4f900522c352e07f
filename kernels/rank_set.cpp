// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/rank_set.hpp"

#include <bit>

namespace breakeven::kernels {

namespace {

constexpr int kWordBits = 64;

std::size_t word_of(int rank) { return static_cast<std::size_t>(rank / kWordBits); }
std::uint64_t bit_of(int rank) { return std::uint64_t{1} << (rank % kWordBits); }

}  // namespace

bool RankSet::holds(int rank) const {
  if (contiguous()) return place(rank) < count_;
  return (bits_[word_of(rank)] & bit_of(rank)) != 0;
}

std::optional<RankSet::Interval> RankSet::interval() const {
  if (!contiguous()) return std::nullopt;
  if (count_ == procs_) return Interval{0, procs_ - 1};
  if (first_ + count_ > procs_) return std::nullopt;
  return Interval{first_, first_ + count_ - 1};
}

std::optional<int> RankSet::common(const RankSet& other) const {
  if (contiguous() && other.contiguous()) {
    // Two arcs meet where one of them begins.
    if (other.holds(first_)) return first_;
    if (holds(other.first_)) return other.first_;
    return std::nullopt;
  }
  const std::vector<std::uint64_t> a = as_bits();
  const std::vector<std::uint64_t> b = other.as_bits();
  for (std::size_t word = 0; word < a.size(); ++word) {
    if (const std::uint64_t both = a[word] & b[word]; both != 0) {
      return static_cast<int>(word) * kWordBits + std::countr_zero(both);
    }
  }
  return std::nullopt;
}

RankSet RankSet::joined(const RankSet& other) const {
  RankSet both = *this;
  both.count_ += other.count_;
  if (contiguous() && other.contiguous()) {
    if (place(other.first_) == count_) return both;
    if (other.place(first_) == other.count_) {
      both.first_ = other.first_;
      return both;
    }
  }
  both.bits_ = as_bits();
  const std::vector<std::uint64_t> added = other.as_bits();
  for (std::size_t word = 0; word < added.size(); ++word) both.bits_[word] |= added[word];
  return both;
}

std::vector<std::uint64_t> RankSet::as_bits() const {
  if (!contiguous()) return bits_;
  std::vector<std::uint64_t> bits(word_of(procs_ - 1) + 1);
  for (int i = 0; i < count_; ++i) {
    const int rank = (first_ + i) % procs_;
    bits[word_of(rank)] |= bit_of(rank);
  }
  return bits;
}

}  // namespace breakeven::kernels
