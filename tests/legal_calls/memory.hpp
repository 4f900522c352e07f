// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace legal_calls {

using Json = nlohmann::json;

/// An element of predefined MPI datatypes: all data are rows of elements.
struct Element {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::size_t bytes = 0;
  void (*put)(void* at, std::int64_t value) = nullptr;
  std::int64_t (*get)(const void* at) = nullptr;
};
[[nodiscard]] Element element_of(const std::string& base);

/// The contributions of ranks to one call.
struct Values {
  std::uint32_t seed = 0;
  std::string op{};  ///< empty where nothing is reduced

  /// The value of element `index` of the block that `from` has for `to`. Small where it is reduced,
  /// so that no sum of a few ranks overflows 8 bits.
  [[nodiscard]] std::int64_t at(int from, int to, std::int64_t index) const;
  /// Element `index` of the reduction of ranks 0 to `ranks` - 1, in rank order.
  [[nodiscard]] std::int64_t reduced(int ranks, std::int64_t index) const;
};

/// MPI's handle of an operation: one of MPI's own, or "user_sum" and "user_affine", which does not
/// commute.
[[nodiscard]] MPI_Op op_of(const std::string& name);

/// One side of a collective's arguments, as MPI takes them.
struct Side {
  void* buffer = nullptr;
  std::vector<int> counts{};  ///< one where MPI takes a single one; may be empty: a null array
  std::vector<int> places{};
  std::vector<MPI_Datatype> types{};
};

/// A buffer with what it holds before the call and must hold afterwards. All that a legal call
/// doesn't name must stay as it was: gaps between elements, and room on both sides.
class Memory {
 public:
  Memory() = default;
  /// @param side  as expand.py has it
  Memory(const Json& side, const Element& element, const Values& values);

  [[nodiscard]] const Side& side() const { return side_; }
  /// As before the call.
  void reset();
  /// In words; empty when everything is as it must be.
  [[nodiscard]] std::string fault() const;

 private:
  struct Content {
    bool checked = true;
    bool touched = false;
    std::int64_t value = 0;
  };

  Element element_{};
  Side side_{};
  std::vector<char> bytes_{};
  std::vector<char> before_{};
  std::vector<Content> after_{};  ///< of each element of the buffer
};

}  // namespace legal_calls
