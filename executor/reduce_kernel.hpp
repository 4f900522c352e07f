// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/datatype.hpp"
#include "core/element.hpp"
#include "core/names.hpp"
#include "core/op.hpp"

namespace breakeven::executor {

/// Breakeven's own, because Debian's MPICH and Open MPI compute some operations wrongly and have
/// none with three operands: into[i] = a[i] op b[i] for `count` elements. `into` may be exactly `a`
/// or `b`; ranges that overlap otherwise are not allowed. All are aligned for their type. Every
/// kernel gives the same bits with every instruction set:
///  * integer sums and products wrap;
///  * logical results are 0 and 1, operands are true when they are not 0;
///  * max and min give `a` where neither operand is the greater, so a NaN in `b` is not taken and
///    one in `a` stays; maxloc and minloc compare alike, and give the lower index where values are
///    equal;
///  * complex products are (ac - bd, ad + bc), without C's rules for infinities;
///  * the padding of pairs is neither read nor written.
using ReduceKernel = void (*)(const std::byte* a, const std::byte* b, std::byte* into,
                              std::size_t count);

/// The instruction sets that the kernels are compiled for: that of every CPU of this kind, and on
/// x86-64 larger ones. avx512 stands for its parts F, BW, DQ and VL together.
enum class Isa : std::uint8_t { baseline, avx2, avx512 };
inline constexpr Names<Isa, 3> kIsas{
    "instruction set",
    {{{Isa::baseline, "baseline"}, {Isa::avx2, "avx2"}, {Isa::avx512, "avx512"}}}};

/// Those that were built and that this CPU and its system can run, the best last.
[[nodiscard]] std::vector<Isa> usable_isas();

/// Our own arithmetic, so that it is right where an MPI library's is not; in the best usable
/// instruction set.
/// @throws UsageError when MPI does not define `op` on `datatype`.
[[nodiscard]] ReduceKernel reduce_kernel(Op op, Datatype datatype);

/// The same in an instruction set of usable_isas().
[[nodiscard]] ReduceKernel reduce_kernel(Op op, Datatype datatype, Isa isa);

}  // namespace breakeven::executor

/// The one source reduce_loops.cpp, compiled for each instruction set. Null where `op` makes no
/// sense on `element`. Loops that this CPU can't run must not be called.

namespace breakeven::executor::baseline {
[[nodiscard]] ReduceKernel reduce_loop(Op op, Element element);
}
namespace breakeven::executor::avx2 {
[[nodiscard]] ReduceKernel reduce_loop(Op op, Element element);
}
namespace breakeven::executor::avx512 {
[[nodiscard]] ReduceKernel reduce_loop(Op op, Element element);
}
