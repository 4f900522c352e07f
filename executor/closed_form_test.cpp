// SPDX-License-Identifier: BSD-3-Clause
#include "executor/closed_form.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/datatype.hpp"
#include "executor/testing.hpp"

namespace breakeven::executor {
namespace {

constexpr int kElements = 260;  // past two periods of the inputs
constexpr int kProcs = 300;

template <typename T>
T input(Op op, int rank, int i) {
  return ElementOf<T>::make(op, contribution(op, Rank{rank}, i));
}

/// Compares the closed form with the ranks' inputs combined one after the other.
template <typename T>
void expect_closed_form(Op op) {
  for (int i = 0; i < kElements; ++i) {
    T brute = input<T>(op, 0, i);
    for (int procs = 1; procs <= kProcs; ++procs) {
      if (procs > 1) brute = testing::Reference<T>::of(op, brute, input<T>(op, procs - 1, i));
      const Term closed = combination(op, procs, i);
      const bool right = ElementOf<T>::make(op, closed) == brute;
      const bool spoiled_is_wrong = ElementOf<T>::make(op, spoiled(op, closed)) != brute;
      if (right && spoiled_is_wrong) continue;
      FAIL() << (right ? "the spoiled element is right" : "not so") << ", p=" << procs
             << " element " << i;
    }
  }
}

TEST(ClosedForm, OfEveryDefinedPairAgreesWithBruteForce) {
  for (const DatatypeRow& row : kDatatypeTable) {
    for (const auto& [op, name] : kOps.entries) {
      if (op == Op::none || !defined(op, row.datatype)) continue;
      SCOPED_TRACE(std::string{name}.append(" on ").append(row.name));
      with_element(row.element,
                   [op]<typename T>(std::type_identity<T>) { expect_closed_form<T>(op); });
    }
  }
}

TEST(ClosedForm, InputsOfUnsignedMaximaWouldBeNegativeIfTheyWereSigned) {
  std::set<bool> upper_half;
  for (int i = 0; i < kElements; ++i) upper_half.insert(input<std::uint32_t>(Op::max, 0, i) >> 31);
  EXPECT_EQ(upper_half.size(), 2U);
}

TEST(ClosedForm, TiesGoToTheLowestRank) {
  // Element 0: k is the rank, and ranks 2 and 3 have the same half of it.
  EXPECT_EQ(combination(Op::maxloc, 4, 0).rank, 2);
  EXPECT_EQ(combination(Op::minloc, 4, 0).rank, 0);
  // Element 125: ranks 2 and 3 begin anew.
  EXPECT_EQ(combination(Op::minloc, 4, 125).rank, 2);
  EXPECT_EQ(combination(Op::maxloc, 4, 125).rank, 1);
}

}  // namespace
}  // namespace breakeven::executor
