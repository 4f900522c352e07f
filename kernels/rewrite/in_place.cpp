// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>
#include <map>

#include "kernels/rewrite/rewrite.hpp"

namespace breakeven {

namespace {

/// Blocks as ranges that don't touch: few, because schedules write next to what they wrote.
class BlockSet {
 public:
  void add(int first, int count) {
    if (count == 0) return;
    int end = first + count;
    auto next = end_of_.upper_bound(first);
    if (next != end_of_.begin() && std::prev(next)->second >= first) {
      --next;
      first = next->first;
    }
    while (next != end_of_.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = end_of_.erase(next);
    }
    end_of_.emplace(first, end);
  }
  [[nodiscard]] bool meets(int first, int count) const {
    const auto next = end_of_.lower_bound(first + count);
    return next != end_of_.begin() && std::prev(next)->second > first;
  }

 private:
  std::map<int, int> end_of_;  // by first block
};

/// Which blocks of the output have been written, and whether the input was read there since.
class Overwritten {
 public:
  explicit Overwritten(int input_begin) : input_begin_{input_begin} {}

  void read(Location at, int count) {
    if (at.buffer != Buffer::input) return;
    read_late_ = read_late_ || written_.meets(input_begin_ + at.block, count);
  }
  void write(Location at, int count) {
    if (at.buffer == Buffer::output) written_.add(at.block, count);
  }
  [[nodiscard]] bool read_late() const { return read_late_; }

 private:
  int input_begin_;
  BlockSet written_;
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

}  // namespace breakeven
