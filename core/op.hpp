// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/datatype.hpp"
#include "core/names.hpp"

namespace breakeven {

/// MPI's predefined reduction operations; `none` for collectives that only move data. All of them
/// are associative (floating point: nearly) and commutative.
enum class Op : std::uint8_t {
  none,
  sum,
  prod,
  max,
  min,
  land,
  lor,
  lxor,
  band,
  bor,
  bxor,
  maxloc,
  minloc,
};
inline constexpr Names<Op, 13> kOps{"op",
                                    {{{Op::none, "none"},
                                      {Op::sum, "sum"},
                                      {Op::prod, "prod"},
                                      {Op::max, "max"},
                                      {Op::min, "min"},
                                      {Op::land, "land"},
                                      {Op::lor, "lor"},
                                      {Op::lxor, "lxor"},
                                      {Op::band, "band"},
                                      {Op::bor, "bor"},
                                      {Op::bxor, "bxor"},
                                      {Op::maxloc, "maxloc"},
                                      {Op::minloc, "minloc"}}}};
constexpr const auto& names(Op) { return kOps; }

/// Whether MPI defines `op` on `datatype`; `none` is defined on all.
/// @see MPI 4.0, sections 6.9.2 and 6.9.4
[[nodiscard]] bool defined(Op op, Datatype datatype);

}  // namespace breakeven
