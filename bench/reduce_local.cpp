// SPDX-License-Identifier: BSD-3-Clause
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/stream.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/reduce_kernel.hpp"
#include "executor/testing.hpp"

// Our local reductions, those of the MPI library, and what memory allows, named
// OP_DATATYPE/USE/WHO/BYTES of one operand. The uses:
//   two_operands    b = a op b, which is what MPI_Reduce_local does
//   three_operands  out = a op b, for which the library must copy b first

namespace breakeven::bench {
namespace {

constexpr std::int64_t kSmallest = 8;
constexpr std::int64_t kLargest = 64 << 20;

struct Kind {
  Op op = Op::none;
  Datatype datatype = Datatype::byte;
};
constexpr auto kKinds = std::to_array<Kind>({{Op::sum, Datatype::double_},
                                             {Op::sum, Datatype::float_},
                                             {Op::max, Datatype::int_},
                                             {Op::bor, Datatype::byte},
                                             {Op::maxloc, Datatype::double_int}});

struct Buffers {
  std::vector<std::byte> a;
  std::vector<std::byte> b;
  std::vector<std::byte> out;
  std::size_t elements;

  Buffers(Datatype datatype, std::int64_t bytes)
      : a(static_cast<std::size_t>(bytes)),
        b(a.size()),
        out(a.size()),
        elements(a.size() / static_cast<std::size_t>(extent(datatype).value)) {
    with_element(element_of(datatype), [this]<typename T>(std::type_identity<T>) {
      for (std::uint64_t i = 0; i < elements; ++i) {
        reinterpret_cast<T*>(a.data())[i] = executor::testing::Operand<T>::of(2 * i);
        reinterpret_cast<T*>(b.data())[i] = executor::testing::Operand<T>::of(2 * i + 1);
      }
    });
  }
};

std::uint64_t* words(std::vector<std::byte>& buffer) {
  return reinterpret_cast<std::uint64_t*>(buffer.data());
}

/// One reduction of all elements, ready to be repeated.
using Reduction = std::function<void()>;

Reduction ours(Kind kind, Buffers& buffers, std::vector<std::byte>& into) {
  const executor::ReduceKernel kernel = executor::reduce_kernel(kind.op, kind.datatype);
  return [=, a = buffers.a.data(), b = buffers.b.data(), out = into.data(), n = buffers.elements] {
    kernel(a, b, out, n);
  };
}

Reduction library(Kind kind, Buffers& buffers, std::vector<std::byte>& into) {
  return [a = buffers.a.data(), b = buffers.b.data(), out = into.data(), bytes = into.size(),
          n = static_cast<int>(buffers.elements), type = executor::mpi_datatype(kind.datatype),
          op = executor::mpi_op(kind.op)] {
    if (out != b) std::memcpy(out, b, bytes);
    executor::check_mpi(MPI_Reduce_local(a, out, n, type, op), "MPI_Reduce_local");
  };
}

Reduction memory(Kind, Buffers& buffers, std::vector<std::byte>& into) {
  return [a = words(buffers.a), b = words(buffers.b), out = words(into),
          n = into.size() / sizeof(std::uint64_t)] {
    if (out == b) {
      bench::stream_add(a, out, n);
    } else {
      bench::stream_add(a, b, out, n);
    }
  };
}

struct Contestant {
  std::string_view name;
  Reduction (*prepare)(Kind, Buffers&, std::vector<std::byte>& into);
};
constexpr auto kContestants =
    std::to_array<Contestant>({{"ours", ours}, {"library", library}, {"memory", memory}});

void run(benchmark::State& state, Kind kind, bool in_place, const Contestant& contestant) {
  Buffers buffers{kind.datatype, state.range(0)};
  const Reduction reduce = contestant.prepare(kind, buffers, in_place ? buffers.b : buffers.out);
  for (auto _ : state) {
    reduce();
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(3 * state.range(0) * state.iterations());
}

void add(Kind kind, bool in_place, const Contestant& contestant) {
  const std::string name =
      fmt::format("{}_{}/{}/{}", kOps.of(kind.op), kDatatypes.of(kind.datatype),
                  in_place ? "two_operands" : "three_operands", contestant.name);
  auto* added = benchmark::RegisterBenchmark(
      name.c_str(), [=](benchmark::State& state) { run(state, kind, in_place, contestant); });
  added->RangeMultiplier(8)->Range(std::max(kSmallest, extent(kind.datatype).value), kLargest);
}

const bool added_all = [] {
  for (const Kind& kind : kKinds) {
    for (const bool in_place : {true, false}) {
      for (const Contestant& contestant : kContestants) add(kind, in_place, contestant);
    }
  }
  return true;
}();

}  // namespace
}  // namespace breakeven::bench
