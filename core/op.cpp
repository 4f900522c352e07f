// SPDX-License-Identifier: BSD-3-Clause
#include "core/op.hpp"

#include "core/error.hpp"

namespace breakeven {

bool defined(Op op, Datatype datatype) {
  const TypeClass type = type_class(datatype);
  const bool integer = type == TypeClass::c_integer || type == TypeClass::fortran_integer ||
                       type == TypeClass::multi_language;
  const bool real = integer || type == TypeClass::floating_point;
  switch (op) {
    case Op::none: return true;
    case Op::sum:
    case Op::prod: return real || type == TypeClass::complex;
    case Op::max:
    case Op::min: return real;
    case Op::land:
    case Op::lor:
    case Op::lxor: return type == TypeClass::c_integer || type == TypeClass::logical;
    case Op::band:
    case Op::bor:
    case Op::bxor: return integer || type == TypeClass::byte;
    case Op::maxloc:
    case Op::minloc: return type == TypeClass::pair;
  }
  throw Error("defined: not an op");
}

}  // namespace breakeven
