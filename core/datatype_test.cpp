// SPDX-License-Identifier: BSD-3-Clause
#include "core/datatype.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/op.hpp"

namespace breakeven {
namespace {

TEST(Datatype, ExtentsAreThoseOfTheCTypes) {
  EXPECT_EQ(extent(Datatype::byte), Bytes{1});
  EXPECT_EQ(extent(Datatype::int_), Bytes{sizeof(int)});
  EXPECT_EQ(extent(Datatype::long_), Bytes{sizeof(long)});
  EXPECT_EQ(extent(Datatype::float_), Bytes{sizeof(float)});
  EXPECT_EQ(extent(Datatype::double_), Bytes{sizeof(double)});
  EXPECT_EQ(extent(Datatype::uint16), Bytes{2});
  EXPECT_EQ(extent(Datatype::c_long_double_complex), Bytes{2 * sizeof(long double)});
}

TEST(Datatype, ExtentsOfPairsHavePaddingForTheNextOne) {
  EXPECT_EQ(extent(Datatype::short_int), Bytes{8});
  EXPECT_EQ(extent(Datatype::two_int), Bytes{8});
  EXPECT_EQ(extent(Datatype::double_int), Bytes{16});
  EXPECT_EQ(extent(Datatype::two_double_precision), Bytes{16});
  EXPECT_EQ(extent(Datatype::long_double_int), Bytes{2 * sizeof(long double)});
}

TEST(Datatype, IntegersKeepTheirSign) {
  EXPECT_EQ(element_of(Datatype::unsigned_), Element::u32);
  EXPECT_EQ(element_of(Datatype::signed_char), Element::i8);
  EXPECT_EQ(element_of(Datatype::long_long), Element::i64);
  EXPECT_EQ(element_of(Datatype::unsigned_long), Element::u64);
  EXPECT_EQ(element_of(Datatype::c_bool), Element::u8);
}

TEST(Datatype, NamesAreThoseOfMpi) {
  EXPECT_EQ(kDatatypes.of(Datatype::unsigned_), "unsigned");
  EXPECT_EQ(kDatatypes.of(Datatype::two_double_precision), "2double_precision");
  EXPECT_EQ(kDatatypes.of(Datatype::int8), "int8_t");
  EXPECT_EQ(kDatatypes.parse("2int"), Datatype::two_int);
}

// The table of MPI 4.0, section 6.9.2, and the text of 6.9.4:
// sum prod, max min, land lor lxor, band bor bxor, maxloc minloc.
TEST(Op, IsDefinedOnTheClassesThatMpiNames) {
  const std::map<TypeClass, std::string> rows{{TypeClass::c_integer, "xx xx xxx xxx --"},
                                              {TypeClass::fortran_integer, "xx xx --- xxx --"},
                                              {TypeClass::floating_point, "xx xx --- --- --"},
                                              {TypeClass::logical, "-- -- xxx --- --"},
                                              {TypeClass::complex, "xx -- --- --- --"},
                                              {TypeClass::byte, "-- -- --- xxx --"},
                                              {TypeClass::multi_language, "xx xx --- xxx --"},
                                              {TypeClass::pair, "-- -- --- --- xx"},
                                              {TypeClass::text, "-- -- --- --- --"}};
  for (const DatatypeRow& row : kDatatypeTable) {
    std::string marks;
    for (const auto& [op, name] : kOps.entries) {
      if (op == Op::none) {
        EXPECT_TRUE(defined(op, row.datatype));
        continue;
      }
      if (op == Op::max || op == Op::land || op == Op::band || op == Op::maxloc) marks += ' ';
      marks += defined(op, row.datatype) ? 'x' : '-';
    }
    EXPECT_EQ(marks, rows.at(row.type_class)) << row.name;
  }
}

}  // namespace
}  // namespace breakeven
