// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/reduce_kernel.hpp"
#include "executor/testing.hpp"

namespace breakeven::executor {
namespace {

constexpr std::size_t kCount = 1003;

/// Where Debian 12's libraries are wrong. On a CPU with AVX2 Open MPI 4.1.4 stops sums of narrow
/// integers at the ends of their range, whereas wider ones wrap; MPICH 4.0.2 compares unsigned
/// integers as signed ones.
#ifdef OPEN_MPI
constexpr Op kFaultyOps[] = {Op::sum};
constexpr Element kFaultyElements[] = {Element::i8, Element::u8, Element::i16, Element::u16};
#else
constexpr Op kFaultyOps[] = {Op::max, Op::min};
constexpr Element kFaultyElements[] = {Element::u8, Element::u16, Element::u32};
#endif

bool known_fault(Op op, Element element) {
  return std::ranges::find(kFaultyOps, op) != std::end(kFaultyOps) &&
         std::ranges::find(kFaultyElements, element) != std::end(kFaultyElements);
}

/// Logical values become 0 or 1: C's bool has no others, and the value of a true LOGICAL depends on
/// the Fortran compiler.
template <typename T>
void keep_truth(Datatype datatype, std::vector<T>& elements) {
  if constexpr (std::is_integral_v<T>) {
    if (type_class(datatype) != TypeClass::logical) return;
    for (T& element : elements) element = element != 0 ? 1 : 0;
  }
}

/// Whether the library has the datatype at all.
bool has(Datatype datatype) {
  try {
    return mpi_datatype(datatype) != MPI_DATATYPE_NULL;
  } catch (const UsageError&) {
    return false;
  }
}

/// MPI_Reduce_local of this library on this machine, or nothing where it refuses the pair.
template <typename T>
std::optional<std::vector<T>> result_of_library(Op op, Datatype datatype, const std::vector<T>& a,
                                                std::vector<T> b) {
  const int status = MPI_Reduce_local(a.data(), b.data(), static_cast<int>(kCount),
                                      mpi_datatype(datatype), mpi_op(op));
  keep_truth(datatype, b);
  return status == MPI_SUCCESS ? std::optional{b} : std::nullopt;
}

template <typename T>
std::vector<T> our_result(Op op, Datatype datatype, const std::vector<T>& a,
                          const std::vector<T>& b) {
  std::vector<T> result(kCount);
  reduce_kernel(op, datatype)(std::as_bytes(std::span{a}).data(),
                              std::as_bytes(std::span{b}).data(),
                              std::as_writable_bytes(std::span{result}).data(), kCount);
  return result;
}

template <typename T>
std::vector<T> operands(Datatype datatype, std::uint64_t seed) {
  std::vector<T> elements;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    elements.push_back(testing::Operand<T>::of(seed + 2 * i));
  }
  keep_truth(datatype, elements);
  return elements;
}

/// Whether the library's result is ours, which is shown to be that of arithmetic.
template <typename T>
bool library_agrees(Op op, Datatype datatype) {
  const std::vector<T> a = operands<T>(datatype, 0);
  const std::vector<T> b = operands<T>(datatype, 1);
  std::vector<T> right(kCount);
  std::ranges::transform(a, b, right.begin(), [op](const T& left, const T& other) {
    return testing::Reference<T>::of(op, left, other);
  });
  EXPECT_TRUE(our_result(op, datatype, a, b) == right) << "our result is not that of arithmetic";
  return result_of_library(op, datatype, a, b) == right;
}

/// With other versions of the libraries fewer pairs may differ, and never more.
TEST(ReduceLocal, OfTheLibraryGivesOurResultButForItsKnownFaults) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (const DatatypeRow& row : kDatatypeTable) {
    if (!has(row.datatype)) continue;
    for (const auto& [op, name] : kOps.entries) {
      if (op == Op::none || !defined(op, row.datatype)) continue;
      SCOPED_TRACE(std::string{name}.append(" on ").append(row.name));
      const bool agrees = with_element(row.element, [&]<typename T>(std::type_identity<T>) {
        return library_agrees<T>(op, row.datatype);
      });
      if (agrees) continue;
      std::cout << "a fault of the MPI library: " << name << " on " << row.name << '\n';
      EXPECT_TRUE(known_fault(op, row.element)) << "not known to be one";
    }
  }
}

}  // namespace
}  // namespace breakeven::executor
