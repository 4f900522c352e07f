// SPDX-License-Identifier: BSD-3-Clause
#include "executor/mpi_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/processor.hpp"
#include "executor/mpi_error.hpp"

namespace breakeven::executor {

namespace {

template <typename Ours, typename Handle>
struct Counterpart {
  Ours ours;
  Handle handle;
};

// Not constexpr, because a library's handles may be addresses that only the linker knows.
const auto datatypes = std::to_array<Counterpart<Datatype, MPI_Datatype>>({
    {Datatype::byte, MPI_BYTE},
    {Datatype::signed_char, MPI_SIGNED_CHAR},
    {Datatype::unsigned_char, MPI_UNSIGNED_CHAR},
    {Datatype::short_, MPI_SHORT},
    {Datatype::unsigned_short, MPI_UNSIGNED_SHORT},
    {Datatype::int_, MPI_INT},
    {Datatype::unsigned_, MPI_UNSIGNED},
    {Datatype::long_, MPI_LONG},
    {Datatype::unsigned_long, MPI_UNSIGNED_LONG},
    {Datatype::long_long, MPI_LONG_LONG},
    {Datatype::unsigned_long_long, MPI_UNSIGNED_LONG_LONG},
    {Datatype::int8, MPI_INT8_T},
    {Datatype::uint8, MPI_UINT8_T},
    {Datatype::int16, MPI_INT16_T},
    {Datatype::uint16, MPI_UINT16_T},
    {Datatype::int32, MPI_INT32_T},
    {Datatype::uint32, MPI_UINT32_T},
    {Datatype::int64, MPI_INT64_T},
    {Datatype::uint64, MPI_UINT64_T},
    {Datatype::integer, MPI_INTEGER},
    {Datatype::integer1, MPI_INTEGER1},
    {Datatype::integer2, MPI_INTEGER2},
    {Datatype::integer4, MPI_INTEGER4},
    {Datatype::integer8, MPI_INTEGER8},
    {Datatype::float_, MPI_FLOAT},
    {Datatype::double_, MPI_DOUBLE},
    {Datatype::long_double, MPI_LONG_DOUBLE},
    {Datatype::real, MPI_REAL},
    {Datatype::double_precision, MPI_DOUBLE_PRECISION},
    {Datatype::real4, MPI_REAL4},
    {Datatype::real8, MPI_REAL8},
    {Datatype::logical, MPI_LOGICAL},
    {Datatype::c_bool, MPI_C_BOOL},
    {Datatype::cxx_bool, MPI_CXX_BOOL},
    {Datatype::c_float_complex, MPI_C_FLOAT_COMPLEX},
    {Datatype::c_double_complex, MPI_C_DOUBLE_COMPLEX},
    {Datatype::c_long_double_complex, MPI_C_LONG_DOUBLE_COMPLEX},
    {Datatype::cxx_float_complex, MPI_CXX_FLOAT_COMPLEX},
    {Datatype::cxx_double_complex, MPI_CXX_DOUBLE_COMPLEX},
    {Datatype::cxx_long_double_complex, MPI_CXX_LONG_DOUBLE_COMPLEX},
    {Datatype::complex, MPI_COMPLEX},
    {Datatype::double_complex, MPI_DOUBLE_COMPLEX},
    {Datatype::complex8, MPI_COMPLEX8},
    {Datatype::complex16, MPI_COMPLEX16},
    {Datatype::aint, MPI_AINT},
    {Datatype::offset, MPI_OFFSET},
    {Datatype::count, MPI_COUNT},
    {Datatype::short_int, MPI_SHORT_INT},
    {Datatype::two_int, MPI_2INT},
    {Datatype::long_int, MPI_LONG_INT},
    {Datatype::float_int, MPI_FLOAT_INT},
    {Datatype::double_int, MPI_DOUBLE_INT},
    {Datatype::long_double_int, MPI_LONG_DOUBLE_INT},
    {Datatype::two_integer, MPI_2INTEGER},
    {Datatype::two_real, MPI_2REAL},
    {Datatype::two_double_precision, MPI_2DOUBLE_PRECISION},
    {Datatype::char_, MPI_CHAR},
    {Datatype::wchar, MPI_WCHAR},
    {Datatype::character, MPI_CHARACTER},
});

const auto ops = std::to_array<Counterpart<Op, MPI_Op>>({
    {Op::none, MPI_OP_NULL},
    {Op::sum, MPI_SUM},
    {Op::prod, MPI_PROD},
    {Op::max, MPI_MAX},
    {Op::min, MPI_MIN},
    {Op::land, MPI_LAND},
    {Op::lor, MPI_LOR},
    {Op::lxor, MPI_LXOR},
    {Op::band, MPI_BAND},
    {Op::bor, MPI_BOR},
    {Op::bxor, MPI_BXOR},
    {Op::maxloc, MPI_MAXLOC},
    {Op::minloc, MPI_MINLOC},
});

/// Whether elements lie as far from each other for the library as for us.
bool same_extent(const Counterpart<Datatype, MPI_Datatype>& type) {
  if (type.handle == MPI_DATATYPE_NULL) return false;
  MPI_Aint lower = 0;
  MPI_Aint theirs = 0;
  check_mpi(MPI_Type_get_extent(type.handle, &lower, &theirs), "MPI_Type_get_extent");
  return theirs == extent(type.ours).value;
}

}  // namespace

MPI_Datatype mpi_datatype(Datatype datatype) {
  const auto& type =
      *std::ranges::find(datatypes, datatype, &Counterpart<Datatype, MPI_Datatype>::ours);
  if (same_extent(type)) return type.handle;
  throw UsageError(fmt::format("this MPI library has no {} of {} bytes", kDatatypes.of(datatype),
                               extent(datatype).value));
}

MPI_Op mpi_op(Op op) { return std::ranges::find(ops, op, &Counterpart<Op, MPI_Op>::ours)->handle; }

std::optional<Datatype> datatype_of(MPI_Datatype handle) {
  const auto found =
      std::ranges::find(datatypes, handle, &Counterpart<Datatype, MPI_Datatype>::handle);
  if (found == datatypes.end() || !same_extent(*found)) return std::nullopt;
  return found->ours;
}

std::optional<Op> op_of(MPI_Op handle) {
  const auto found = std::ranges::find(ops, handle, &Counterpart<Op, MPI_Op>::handle);
  if (found == ops.end() || found->ours == Op::none) return std::nullopt;
  return found->ours;
}

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return text.data();  // Open MPI counts the terminating zero in `length`
}

std::string library_version_line() {
  const std::string text = library_version();
  return single_spaced(text.substr(0, text.find('\n')));
}

}  // namespace breakeven::executor
