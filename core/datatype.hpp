// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/element.hpp"
#include "core/names.hpp"
#include "core/units.hpp"

namespace breakeven {

/// MPI's predefined datatypes of C, C++ and Fortran, without MPI_PACKED, which has no elements, and
/// without Fortran's optional types that have no C++ type here: 2-byte and 16-byte reals with their
/// complexes, 16-byte integers.
enum class Datatype : std::uint8_t {
  byte,
  signed_char,
  unsigned_char,
  short_,
  unsigned_short,
  int_,
  unsigned_,
  long_,
  unsigned_long,
  long_long,
  unsigned_long_long,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  integer,
  integer1,
  integer2,
  integer4,
  integer8,
  float_,
  double_,
  long_double,
  real,
  double_precision,
  real4,
  real8,
  logical,
  c_bool,
  cxx_bool,
  c_float_complex,
  c_double_complex,
  c_long_double_complex,
  cxx_float_complex,
  cxx_double_complex,
  cxx_long_double_complex,
  complex,
  double_complex,
  complex8,
  complex16,
  aint,
  offset,
  count,
  short_int,
  two_int,
  long_int,
  float_int,
  double_int,
  long_double_int,
  two_integer,
  two_real,
  two_double_precision,
  char_,
  wchar,
  character,
};

/// The groups of datatypes for which MPI defines operations; text has none.
/// @see MPI 4.0, sections 6.9.2 and 6.9.4
enum class TypeClass : std::uint8_t {
  byte,
  c_integer,
  fortran_integer,
  floating_point,
  logical,
  complex,
  multi_language,
  pair,
  text,
};

struct DatatypeRow {
  Datatype datatype{};
  std::string_view name{};  ///< MPI's in lower case, without MPI_
  TypeClass type_class{};
  Element element{};
};

/// All that is known of each datatype, in the order of the enumeration. C's types are those of this
/// compiler; Fortran's are those of a compiler without options that change their size. Fortran's
/// LOGICAL is an integer: 0 is false, everything else is true.
inline constexpr auto kDatatypeTable = std::to_array<DatatypeRow>({
    {Datatype::byte, "byte", TypeClass::byte, element_of<unsigned char>()},
    {Datatype::signed_char, "signed_char", TypeClass::c_integer, element_of<signed char>()},
    {Datatype::unsigned_char, "unsigned_char", TypeClass::c_integer, element_of<unsigned char>()},
    {Datatype::short_, "short", TypeClass::c_integer, element_of<short>()},
    {Datatype::unsigned_short, "unsigned_short", TypeClass::c_integer,
     element_of<unsigned short>()},
    {Datatype::int_, "int", TypeClass::c_integer, element_of<int>()},
    {Datatype::unsigned_, "unsigned", TypeClass::c_integer, element_of<unsigned>()},
    {Datatype::long_, "long", TypeClass::c_integer, element_of<long>()},
    {Datatype::unsigned_long, "unsigned_long", TypeClass::c_integer, element_of<unsigned long>()},
    {Datatype::long_long, "long_long", TypeClass::c_integer, element_of<long long>()},
    {Datatype::unsigned_long_long, "unsigned_long_long", TypeClass::c_integer,
     element_of<unsigned long long>()},
    {Datatype::int8, "int8_t", TypeClass::c_integer, element_of<std::int8_t>()},
    {Datatype::uint8, "uint8_t", TypeClass::c_integer, element_of<std::uint8_t>()},
    {Datatype::int16, "int16_t", TypeClass::c_integer, element_of<std::int16_t>()},
    {Datatype::uint16, "uint16_t", TypeClass::c_integer, element_of<std::uint16_t>()},
    {Datatype::int32, "int32_t", TypeClass::c_integer, element_of<std::int32_t>()},
    {Datatype::uint32, "uint32_t", TypeClass::c_integer, element_of<std::uint32_t>()},
    {Datatype::int64, "int64_t", TypeClass::c_integer, element_of<std::int64_t>()},
    {Datatype::uint64, "uint64_t", TypeClass::c_integer, element_of<std::uint64_t>()},
    {Datatype::integer, "integer", TypeClass::fortran_integer, element_of<int>()},
    {Datatype::integer1, "integer1", TypeClass::fortran_integer, element_of<std::int8_t>()},
    {Datatype::integer2, "integer2", TypeClass::fortran_integer, element_of<std::int16_t>()},
    {Datatype::integer4, "integer4", TypeClass::fortran_integer, element_of<std::int32_t>()},
    {Datatype::integer8, "integer8", TypeClass::fortran_integer, element_of<std::int64_t>()},
    {Datatype::float_, "float", TypeClass::floating_point, element_of<float>()},
    {Datatype::double_, "double", TypeClass::floating_point, element_of<double>()},
    {Datatype::long_double, "long_double", TypeClass::floating_point, element_of<long double>()},
    {Datatype::real, "real", TypeClass::floating_point, element_of<float>()},
    {Datatype::double_precision, "double_precision", TypeClass::floating_point,
     element_of<double>()},
    {Datatype::real4, "real4", TypeClass::floating_point, element_of<float>()},
    {Datatype::real8, "real8", TypeClass::floating_point, element_of<double>()},
    {Datatype::logical, "logical", TypeClass::logical, element_of<int>()},
    {Datatype::c_bool, "c_bool", TypeClass::logical, element_of<bool>()},
    {Datatype::cxx_bool, "cxx_bool", TypeClass::logical, element_of<bool>()},
    {Datatype::c_float_complex, "c_float_complex", TypeClass::complex,
     element_of<Complex<float>>()},
    {Datatype::c_double_complex, "c_double_complex", TypeClass::complex,
     element_of<Complex<double>>()},
    {Datatype::c_long_double_complex, "c_long_double_complex", TypeClass::complex,
     element_of<Complex<long double>>()},
    {Datatype::cxx_float_complex, "cxx_float_complex", TypeClass::complex,
     element_of<Complex<float>>()},
    {Datatype::cxx_double_complex, "cxx_double_complex", TypeClass::complex,
     element_of<Complex<double>>()},
    {Datatype::cxx_long_double_complex, "cxx_long_double_complex", TypeClass::complex,
     element_of<Complex<long double>>()},
    {Datatype::complex, "complex", TypeClass::complex, element_of<Complex<float>>()},
    {Datatype::double_complex, "double_complex", TypeClass::complex, element_of<Complex<double>>()},
    {Datatype::complex8, "complex8", TypeClass::complex, element_of<Complex<float>>()},
    {Datatype::complex16, "complex16", TypeClass::complex, element_of<Complex<double>>()},
    {Datatype::aint, "aint", TypeClass::multi_language, element_of<std::int64_t>()},
    {Datatype::offset, "offset", TypeClass::multi_language, element_of<std::int64_t>()},
    {Datatype::count, "count", TypeClass::multi_language, element_of<std::int64_t>()},
    {Datatype::short_int, "short_int", TypeClass::pair, element_of<Pair<short, int>>()},
    {Datatype::two_int, "2int", TypeClass::pair, element_of<Pair<int, int>>()},
    {Datatype::long_int, "long_int", TypeClass::pair, element_of<Pair<long, int>>()},
    {Datatype::float_int, "float_int", TypeClass::pair, element_of<Pair<float, int>>()},
    {Datatype::double_int, "double_int", TypeClass::pair, element_of<Pair<double, int>>()},
    {Datatype::long_double_int, "long_double_int", TypeClass::pair,
     element_of<Pair<long double, int>>()},
    {Datatype::two_integer, "2integer", TypeClass::pair, element_of<Pair<int, int>>()},
    {Datatype::two_real, "2real", TypeClass::pair, element_of<Pair<float, float>>()},
    {Datatype::two_double_precision, "2double_precision", TypeClass::pair,
     element_of<Pair<double, double>>()},
    {Datatype::char_, "char", TypeClass::text, element_of<char>()},
    {Datatype::wchar, "wchar", TypeClass::text, element_of<wchar_t>()},
    {Datatype::character, "character", TypeClass::text, element_of<char>()},
});

inline constexpr auto kDatatypes = [] {
  Names<Datatype, kDatatypeTable.size()> names{"datatype", {}};
  for (std::size_t i = 0; i < kDatatypeTable.size(); ++i) {
    names.entries[i] = {kDatatypeTable[i].datatype, kDatatypeTable[i].name};
  }
  return names;
}();
constexpr const auto& names(Datatype) { return kDatatypes; }

[[nodiscard]] constexpr TypeClass type_class(Datatype datatype) {
  return kDatatypeTable[static_cast<std::size_t>(datatype)].type_class;
}

[[nodiscard]] constexpr Element element_of(Datatype datatype) {
  return kDatatypeTable[static_cast<std::size_t>(datatype)].element;
}

/// From one element to the next, in bytes: sizeof the C++ type of the element.
[[nodiscard]] constexpr Bytes extent(Datatype datatype) {
  return with_element(element_of(datatype),
                      []<typename T>(std::type_identity<T>) { return Bytes{sizeof(T)}; });
}

}  // namespace breakeven
