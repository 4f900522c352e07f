// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/collective.hpp"

namespace breakeven::interpose {

/// The bits of a handle, a number in some libraries and a pointer in others.
template <typename Handle>
[[nodiscard]] std::intptr_t bits_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::intptr_t>(handle);
  } else {
    return static_cast<std::intptr_t>(handle);
  }
}

/// A number that follows from all of these, and that looks like chance.
[[nodiscard]] inline std::uint64_t mixed(std::span<const std::intptr_t> words) {
  std::uint64_t mix = 0;
  for (const std::intptr_t word : words) {
    mix = (mix ^ static_cast<std::uint64_t>(word)) * 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
  }
  return mix >> 32U;
}

/// The arguments of a call of a collective, but for where its buffers are: equal ones are performed
/// by one plan while freed_handles() stays the same.
struct Signature {
  std::array<std::intptr_t, 10> words{-1};  ///< of no call
  bool whole = true;  ///< no argument is an array, whose elements are not here

  [[nodiscard]] std::size_t hash() const { return mixed(words); }
  friend bool operator==(const Signature&, const Signature&) = default;
};

/// A call's arguments as they came.
class Arguments {
 public:
  template <typename... Each>
  explicit Arguments(Collective collective, Each... each) {
    signature_.words[next_++] = static_cast<std::intptr_t>(collective);
    (add(each), ...);
  }

  [[nodiscard]] const Signature& signature() const { return signature_; }
  /// Of a call with one buffer, that is both.
  [[nodiscard]] void* first_buffer() const { return buffers_[0]; }
  [[nodiscard]] void* last_buffer() const { return buffers_[buffers_seen_ > 1 ? 1 : 0]; }

 private:
  /// How a buffer's address can matter: there, not there, in place, the other one's.
  enum class Address : std::intptr_t { some, null, in_place, equal };

  template <typename Argument>
  void add(Argument argument) {
    if constexpr (std::is_same_v<Argument, const void*> || std::is_same_v<Argument, void*>) {
      add_buffer(const_cast<void*>(argument));
    } else if constexpr (std::is_same_v<Argument, const int*> ||
                         std::is_same_v<Argument, const MPI_Count*> ||
                         std::is_same_v<Argument, const MPI_Aint*>) {
      signature_.whole = false;
    } else {
      signature_.words[next_++] = bits_of(argument);
    }
  }
  void add_buffer(void* address) {
    Address word = Address::some;
    if (address == nullptr) word = Address::null;
    if (address == MPI_IN_PLACE) word = Address::in_place;
    if (buffers_seen_ > 0 && address == buffers_[0]) word = Address::equal;
    signature_.words[next_++] = static_cast<std::intptr_t>(word);
    buffers_[buffers_seen_++] = address;
  }

  Signature signature_{};
  std::size_t next_ = 0;
  std::array<void*, 2> buffers_{};
  std::size_t buffers_seen_ = 0;
};

}  // namespace breakeven::interpose
