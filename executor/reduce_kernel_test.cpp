// SPDX-License-Identifier: BSD-3-Clause
#include "executor/reduce_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "executor/testing.hpp"

namespace breakeven::executor {
namespace {

/// Around the lengths of all vectors, and one that leaves a rest whatever their length.
constexpr std::size_t kCounts[] = {0,  1,  2,  3,  4,  5,  7,  8,   9,
                                   15, 16, 17, 31, 33, 63, 65, 127, 1003};

template <typename T>
struct Operands {
  std::vector<T> a;
  std::vector<T> b;

  explicit Operands(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      a.push_back(testing::Operand<T>::of(2 * i));
      b.push_back(testing::Operand<T>::of(2 * i + 1));
    }
  }
};

template <typename T>
void apply(ReduceKernel kernel, const std::vector<T>& a, const std::vector<T>& b,
           std::vector<T>& into, std::size_t count) {
  kernel(std::as_bytes(std::span{a}).data(), std::as_bytes(std::span{b}).data(),
         std::as_writable_bytes(std::span{into}).data(), count);
}

/// The kernel's result on `count` elements into a third buffer, into `a` and into `b`, each
/// followed by one element that is to stay as it is.
template <typename T>
void expect_reference(Op op, ReduceKernel kernel, std::size_t count) {
  const Operands<T> given(count + 1);
  std::vector<T> into_none(count + 1);
  std::vector<T> into_a = given.a;
  std::vector<T> into_b = given.b;
  apply(kernel, given.a, given.b, into_none, count);
  apply(kernel, into_a, given.b, into_a, count);
  apply(kernel, given.a, into_b, into_b, count);
  for (std::size_t i = 0; i < count; ++i) {
    const T right = testing::Reference<T>::of(op, given.a[i], given.b[i]);
    ASSERT_TRUE(into_none[i] == right) << "element " << i << " of " << count;
    ASSERT_TRUE(into_a[i] == right) << "element " << i << " of " << count << " in place of a";
    ASSERT_TRUE(into_b[i] == right) << "element " << i << " of " << count << " in place of b";
  }
  EXPECT_TRUE(into_none[count] == T{}) << "past the end of " << count;
  EXPECT_TRUE(into_a[count] == given.a[count]) << "past the end of " << count;
  EXPECT_TRUE(into_b[count] == given.b[count]) << "past the end of " << count;
}

class EveryIsa : public ::testing::TestWithParam<Isa> {};

TEST_P(EveryIsa, CombinesEveryDefinedPairApartAndInPlace) {
  for (const DatatypeRow& row : kDatatypeTable) {
    for (const auto& [op, name] : kOps.entries) {
      if (op == Op::none || !defined(op, row.datatype)) continue;
      SCOPED_TRACE(std::string{name}.append(" on ").append(row.name));
      const ReduceKernel kernel = reduce_kernel(op, row.datatype, GetParam());
      ASSERT_NE(kernel, nullptr);
      with_element(row.element, [op, kernel]<typename T>(std::type_identity<T>) {
        for (const std::size_t count : kCounts) expect_reference<T>(op, kernel, count);
      });
    }
  }
}

/// Every two of some numbers that are not ordinary, often enough to fill vectors.
template <typename T>
void expect_bits_of_comparison(Datatype datatype, Isa isa) {
  using Limits = std::numeric_limits<T>;
  const T special[] = {
      T{0}, -T{0}, T{1}, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()};
  std::vector<T> a;
  std::vector<T> b;
  for (int i = 0; i < 36 * 5; ++i) {
    a.push_back(special[i % 6]);
    b.push_back(special[i / 6 % 6]);
  }
  std::vector<T> largest(a.size());
  std::vector<T> smallest(a.size());
  apply(reduce_kernel(Op::max, datatype, isa), a, b, largest, a.size());
  apply(reduce_kernel(Op::min, datatype, isa), a, b, smallest, a.size());
  const auto same_bits = [](const T& x, const T& y) { return std::memcmp(&x, &y, sizeof(T)) == 0; };
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(same_bits(largest[i], a[i] < b[i] ? b[i] : a[i])) << a[i] << " and " << b[i];
    EXPECT_TRUE(same_bits(smallest[i], b[i] < a[i] ? b[i] : a[i])) << a[i] << " and " << b[i];
  }
}

TEST_P(EveryIsa, KeepsTheFirstOperandWhereNeitherIsGreater) {
  expect_bits_of_comparison<float>(Datatype::float_, GetParam());
  expect_bits_of_comparison<double>(Datatype::double_, GetParam());
}

TEST_P(EveryIsa, RoundsEachStepOfAComplexProduct) {
  // (1 + e)^2 - 1 is 2e where the square is rounded first, else 2e + e^2.
  constexpr double e = 1.0 / (1 << 30);
  const std::vector<Complex<double>> a(9, {1 + e, 1});
  const std::vector<Complex<double>>& b = a;
  std::vector<Complex<double>> product(9);
  apply(reduce_kernel(Op::prod, Datatype::double_complex, GetParam()), a, b, product, 9);
  for (const Complex<double>& number : product) EXPECT_EQ(number.re, 2 * e);
}

TEST_P(EveryIsa, LeavesThePaddingOfPairsAlone) {
  using Element = Pair<double, int>;
  static_assert(sizeof(Element) == 16);
  const Operands<Element> given(33);
  std::vector<Element> result(33);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span{result});
  std::ranges::fill(bytes, std::byte{0x5A});
  apply(reduce_kernel(Op::maxloc, Datatype::double_int, GetParam()), given.a, given.b, result, 33);
  for (std::size_t element = 0; element < bytes.size(); element += sizeof(Element)) {
    for (std::size_t padding = element + 12; padding < element + 16; ++padding) {
      EXPECT_EQ(bytes[padding], std::byte{0x5A}) << "byte " << padding;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(ReduceKernel, EveryIsa, ::testing::ValuesIn(usable_isas()),
                         [](const auto& test) { return std::string{kIsas.of(test.param)}; });

TEST(ReduceKernel, IsByDefaultThatOfTheBestInstructionSet) {
  EXPECT_EQ(reduce_kernel(Op::sum, Datatype::double_),
            reduce_kernel(Op::sum, Datatype::double_, usable_isas().back()));
  EXPECT_EQ(usable_isas().front(), Isa::baseline);
}

TEST(ReduceKernel, RefusesWhatMpiDoesNotDefineByName) {
  for (const auto& [op, op_name] : kOps.entries) {
    for (const auto& [datatype, type_name] : kDatatypes.entries) {
      if (op != Op::none && defined(op, datatype)) continue;
      try {
        static_cast<void>(reduce_kernel(op, datatype));
        ADD_FAILURE() << op_name << " on " << type_name << " was not refused";
      } catch (const UsageError& refusal) {
        EXPECT_EQ(refusal.what(), std::string{"MPI does not define the reduction '"}
                                      .append(op_name)
                                      .append("' on ")
                                      .append(type_name));
      }
    }
  }
}

}  // namespace
}  // namespace breakeven::executor
