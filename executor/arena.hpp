// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace breakeven::executor {

/// Memory for what plans keep between their steps. Plans that never run at the same time share one,
/// as large as the largest needs.
class Arena {
 public:
  static constexpr std::align_val_t kAlignment{64};

  /// Makes room for so many bytes and touches it. What it held is lost when it grows.
  void reserve(std::size_t bytes) {
    if (bytes <= size_) return;
    memory_.reset();
    size_ = 0;
    memory_.reset(static_cast<std::byte*>(::operator new(bytes, kAlignment)));
    size_ = bytes;
    std::memset(memory_.get(), 0, bytes);
  }
  [[nodiscard]] std::byte* data() const { return memory_.get(); }

 private:
  struct Delete {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
  };
  std::unique_ptr<std::byte, Delete> memory_;
  std::size_t size_ = 0;
};

}  // namespace breakeven::executor
