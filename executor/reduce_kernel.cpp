// SPDX-License-Identifier: BSD-3-Clause
#include "executor/reduce_kernel.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace breakeven::executor {

namespace {

ReduceKernel loop(Op op, Datatype datatype, Isa isa) {
  const Element element = element_of(datatype);
  switch (isa) {
    case Isa::baseline: return baseline::reduce_loop(op, element);
#ifdef BREAKEVEN_X86_64
    case Isa::avx2: return avx2::reduce_loop(op, element);
    case Isa::avx512:
      // GCC 12 takes AVX-512's fused steps for complex products, whatever -ffp-contract says.
      if (type_class(datatype) == TypeClass::complex) return avx2::reduce_loop(op, element);
      return avx512::reduce_loop(op, element);
#else
    case Isa::avx2:
    case Isa::avx512: break;
#endif
  }
  throw Error(fmt::format("reduce_kernel: this program has no loops for {}", kIsas.of(isa)));
}

}  // namespace

std::vector<Isa> usable_isas() {
  std::vector<Isa> isas{Isa::baseline};
#ifdef BREAKEVEN_X86_64
  if (__builtin_cpu_supports("avx2")) isas.push_back(Isa::avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    isas.push_back(Isa::avx512);
  }
#endif
  return isas;
}

ReduceKernel reduce_kernel(Op op, Datatype datatype) {
  return reduce_kernel(op, datatype, usable_isas().back());
}

ReduceKernel reduce_kernel(Op op, Datatype datatype, Isa isa) {
  if (op == Op::none || !defined(op, datatype)) {
    throw UsageError(fmt::format("MPI does not define the reduction '{}' on {}", kOps.of(op),
                                 kDatatypes.of(datatype)));
  }
  return loop(op, datatype, isa);
}

}  // namespace breakeven::executor
