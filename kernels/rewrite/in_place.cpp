// SPDX-License-Identifier: BSD-3-Clause
#include <boost/icl/interval_set.hpp>

#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

namespace {

using Range = boost::icl::interval<int>;

Range::interval_type range(int first, int count) { return Range::right_open(first, first + count); }

/// Which blocks of the output have been written, and whether the input was read there since.
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
        blocks.read(copy->from, copy->count);
        blocks.write(copy->into, copy->count);
      } else {
        const auto& reduce = std::get<Reduce>(local);
        blocks.read(reduce.a, reduce.count);
        blocks.read(reduce.b, reduce.count);
        blocks.write(reduce.into, reduce.count);
      }
    }
  }
  return !blocks.read_late();
}

}  // namespace breakeven::kernels
