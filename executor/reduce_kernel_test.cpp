// SPDX-License-Identifier: BSD-3-Clause
#include "executor/reduce_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "core/error.hpp"

namespace breakeven {
namespace {

constexpr std::size_t kCount = 1003;  // leaves a rest whatever the vector length

template <typename T>
struct Operands {
  std::vector<T> a;
  std::vector<T> b;
};

template <typename T>
Operands<T> operands() {
  Operands<T> made;
  for (std::size_t i = 0; i < kCount; ++i) {
    made.a.push_back(static_cast<T>(i * 37 % 101));
    made.b.push_back(static_cast<T>(i * 53 % 97));
  }
  return made;
}

template <typename T>
void apply(Op op, Datatype datatype, const std::vector<T>& a, const std::vector<T>& b,
           std::vector<T>& into) {
  reduce_kernel(op, datatype)(std::as_bytes(std::span{a}).data(),
                              std::as_bytes(std::span{b}).data(),
                              std::as_writable_bytes(std::span{into}).data(), into.size());
}

/// Compares the kernel with `expected` into a third buffer, into `a` and into `b`.
template <typename T, typename Expected>
void expect_everywhere(Op op, Datatype datatype, Expected expected) {
  SCOPED_TRACE(std::string{kOps.of(op)}.append(" on ").append(kDatatypes.of(datatype)));
  Operands<T> work = operands<T>();
  std::vector<T> want(kCount);
  std::ranges::transform(work.a, work.b, want.begin(), expected);
  std::vector<T> apart(kCount);
  apply(op, datatype, work.a, work.b, apart);
  EXPECT_EQ(apart, want);
  std::vector<T> a = work.a;
  apply(op, datatype, a, work.b, a);
  EXPECT_EQ(a, want) << "into a";
  apply(op, datatype, work.a, work.b, work.b);
  EXPECT_EQ(work.b, want) << "into b";
}

template <typename T>
void expect_arithmetic(Datatype datatype) {
  expect_everywhere<T>(Op::sum, datatype, [](T a, T b) { return static_cast<T>(a + b); });
  expect_everywhere<T>(Op::max, datatype, [](T a, T b) { return std::max(a, b); });
  expect_everywhere<T>(Op::min, datatype, [](T a, T b) { return std::min(a, b); });
}

template <typename T>
void expect_bitwise(Datatype datatype) {
  expect_everywhere<T>(Op::bor, datatype, [](T a, T b) { return static_cast<T>(a | b); });
}

TEST(ReduceKernel, CombinesEveryDefinedPairApartAndInPlace) {
  expect_bitwise<unsigned char>(Datatype::byte);
  expect_bitwise<int>(Datatype::int_);
  expect_bitwise<long>(Datatype::long_);
  expect_arithmetic<int>(Datatype::int_);
  expect_arithmetic<long>(Datatype::long_);
  expect_arithmetic<float>(Datatype::float_);
  expect_arithmetic<double>(Datatype::double_);
}

TEST(ReduceKernel, ComparesSignedIntegersAsSigned) {
  std::vector<int> into(1);
  apply<int>(Op::max, Datatype::int_, {-1}, {1}, into);
  EXPECT_EQ(into.front(), 1);
  apply<int>(Op::min, Datatype::int_, {-1}, {1}, into);
  EXPECT_EQ(into.front(), -1);
}

TEST(ReduceKernel, WrapsIntegerSums) {
  std::vector<int> into(1);
  apply<int>(Op::sum, Datatype::int_, {std::numeric_limits<int>::max()}, {1}, into);
  EXPECT_EQ(into.front(), std::numeric_limits<int>::min());
}

TEST(ReduceKernel, RefusesWhatMpiDoesNotDefineByName) {
  for (const auto& [op, op_name] : kOps.entries) {
    for (const auto& [datatype, type_name] : kDatatypes.entries) {
      if (op != Op::none && defined(op, datatype)) {
        EXPECT_NE(reduce_kernel(op, datatype), nullptr);
        continue;
      }
      try {
        static_cast<void>(reduce_kernel(op, datatype));
        ADD_FAILURE() << op_name << " on " << type_name << " was not refused";
      } catch (const UsageError& refusal) {
        EXPECT_NE(std::string{refusal.what()}.find(type_name), std::string::npos);
        EXPECT_NE(std::string{refusal.what()}.find(op_name), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace breakeven
