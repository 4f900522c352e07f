// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/element.hpp"
#include "core/op.hpp"
#include "executor/reduce_kernel.hpp"

/// The one source reduce_loops.cpp, compiled for each instruction set. Null where `op` makes no
/// sense on `element`. What is not usable on this CPU must not be called.

namespace breakeven::executor::baseline {
[[nodiscard]] ReduceKernel reduce_loop(Op op, Element element);
}
namespace breakeven::executor::avx2 {
[[nodiscard]] ReduceKernel reduce_loop(Op op, Element element);
}
namespace breakeven::executor::avx512 {
[[nodiscard]] ReduceKernel reduce_loop(Op op, Element element);
}
