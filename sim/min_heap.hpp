// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace breakeven::sim {

/// What comes first first. A heap with four children of each item: half as many levels as with two,
/// and which child comes first is found without branches that nobody could foresee.
template <typename Item>
class MinHeap {
 public:
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] const Item& first() const { return items_.front(); }

  void push(const Item& item) {
    std::size_t place = items_.size();
    items_.push_back(item);
    while (place > 0 && items_[(place - 1) / 4] > item) {
      items_[place] = items_[(place - 1) / 4];
      place = (place - 1) / 4;
    }
    items_[place] = item;
  }

  Item pop() {
    const Item popped = items_.front();
    const Item last = items_.back();
    items_.pop_back();
    std::size_t place = 0;
    for (std::size_t child = 1; child < items_.size(); child = 4 * place + 1) {
      std::size_t first = child;
      const std::size_t end = std::min(child + 4, items_.size());
      while (++child < end) first = items_[first] > items_[child] ? child : first;
      if (!(last > items_[first])) break;
      items_[place] = items_[first];
      place = first;
    }
    if (!items_.empty()) items_[place] = last;
    return popped;
  }

 private:
  std::vector<Item> items_;
};

}  // namespace breakeven::sim
