// SPDX-License-Identifier: BSD-3-Clause
#include <boost/icl/interval_set.hpp>
#include <cstdlib>

#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

namespace {

using Range = boost::icl::interval<int>;

Range::interval_type range(int first, int count) { return Range::right_open(first, first + count); }

/// Which blocks of the output have been written, and whether the input was read there since, or
/// while a part of it was written.
class Overwritten {
 public:
  explicit Overwritten(int input_begin) : input_begin_{input_begin} {}

  void read(Location at, int count) {
    if (at.buffer != Buffer::input) return;
    read_late_ = read_late_ || intersects(written_, range(input_begin_ + at.block, count));
  }
  void write(Location at, int count) {
    if (at.buffer == Buffer::output) written_.add(range(at.block, count));
  }
  /// @param into  where the step that reads writes: the same place or one apart
  void read(Location at, int count, Location into) {
    read(at, count);
    const int distance = input_begin_ + at.block - into.block;
    const bool both = at.buffer == Buffer::input && into.buffer == Buffer::output;
    read_late_ = read_late_ || (both && distance != 0 && std::abs(distance) < count);
  }
  /// Whether a copy leaves its place as it is.
  [[nodiscard]] bool stays(const Copy& copy) const {
    return copy.from.buffer == Buffer::input && copy.into.buffer == Buffer::output &&
           input_begin_ + copy.from.block == copy.into.block;
  }
  [[nodiscard]] bool read_late() const { return read_late_; }

 private:
  int input_begin_;
  boost::icl::interval_set<int> written_;
  bool read_late_ = false;
};

}  // namespace

bool safe_in_place(const Schedule& schedule, int input_begin) {
  Overwritten blocks{input_begin};
  for (const Round& round : schedule.rounds) {
    for (const Comm& comm : round.comm) {
      if (const auto* recv = std::get_if<Recv>(&comm)) blocks.write(recv->into, recv->count);
    }
    for (const Comm& comm : round.comm) {
      if (const auto* send = std::get_if<Send>(&comm)) blocks.read(send->from, send->count);
    }
    for (const Local& local : round.local) {
      if (const auto* copy = std::get_if<Copy>(&local)) {
        blocks.read(copy->from, copy->count, copy->into);
        if (!blocks.stays(*copy)) blocks.write(copy->into, copy->count);
      } else {
        const auto& reduce = std::get<Reduce>(local);
        blocks.read(reduce.a, reduce.count, reduce.into);
        blocks.read(reduce.b, reduce.count, reduce.into);
        blocks.write(reduce.into, reduce.count);
      }
    }
  }
  return !blocks.read_late();
}

}  // namespace breakeven::kernels
