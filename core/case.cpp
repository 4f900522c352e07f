// SPDX-License-Identifier: BSD-3-Clause
#include "core/case.hpp"

#include <fmt/format.h>

namespace breakeven {

Bytes extent(Datatype datatype) {
  switch (datatype) {
    case Datatype::byte: return {1};
    case Datatype::int_: return {sizeof(int)};
    case Datatype::long_: return {sizeof(long)};
    case Datatype::float_: return {sizeof(float)};
    case Datatype::double_: return {sizeof(double)};
  }
  throw Error("extent: not a datatype");
}

bool defined(Op op, Datatype datatype) {
  const bool floating = datatype == Datatype::float_ || datatype == Datatype::double_;
  switch (op) {
    case Op::none: return true;
    case Op::bor: return !floating;
    case Op::sum:
    case Op::max:
    case Op::min: return datatype != Datatype::byte;
  }
  throw Error("defined: not an op");
}

Bytes total_bytes(const Case& what) {
  return (counts_one_block(what.collective) ? what.procs : 1) * what.message;
}

std::string to_text(const Case& what) {
  std::string text = fmt::format("{}/{}{}{} p={} {} {}", kCollectives.of(what.collective),
                                 what.algorithm, what.params.empty() ? "" : ":", what.params,
                                 what.procs, to_text(what.message), kDatatypes.of(what.datatype));
  if (what.op != Op::none) text += fmt::format(" {}", kOps.of(what.op));
  if (what.root != Rank{}) text += fmt::format(" root {}", what.root.value);
  return text;
}

}  // namespace breakeven
