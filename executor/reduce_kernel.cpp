// SPDX-License-Identifier: BSD-3-Clause
#include "executor/reduce_kernel.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "core/error.hpp"

namespace breakeven {

namespace {

struct Sum {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;  // overflow wraps instead of being undefined
      return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
};
struct Max {
  template <typename T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <typename T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Bor {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

template <typename T, typename Operator>
void combine(const std::byte* a, const std::byte* b, std::byte* into, std::size_t count) {
  const T* left = reinterpret_cast<const T*>(a);
  const T* right = reinterpret_cast<const T*>(b);
  T* result = reinterpret_cast<T*>(into);
  for (std::size_t i = 0; i < count; ++i) result[i] = Operator{}(left[i], right[i]);
}

template <typename T>
ReduceKernel kernel_on(Op op) {
  switch (op) {
    case Op::sum: return combine<T, Sum>;
    case Op::max: return combine<T, Max>;
    case Op::min: return combine<T, Min>;
    case Op::bor:
      if constexpr (std::is_integral_v<T>) return combine<T, Bor>;
      break;
    case Op::none: break;
  }
  throw Error("reduce_kernel: not an operation");
}

}  // namespace

ReduceKernel reduce_kernel(Op op, Datatype datatype) {
  if (op == Op::none || !defined(op, datatype)) {
    throw UsageError(fmt::format("MPI does not define the reduction '{}' on {}", kOps.of(op),
                                 kDatatypes.of(datatype)));
  }
  switch (datatype) {
    case Datatype::byte: return kernel_on<unsigned char>(op);
    case Datatype::int_: return kernel_on<int>(op);
    case Datatype::long_: return kernel_on<long>(op);
    case Datatype::float_: return kernel_on<float>(op);
    case Datatype::double_: return kernel_on<double>(op);
  }
  throw Error("reduce_kernel: not a datatype");
}

}  // namespace breakeven
