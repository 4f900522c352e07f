// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "core/error.hpp"
#include "executor/element_type.hpp"
#include "executor/memory.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "mock_ups/composed/compose.hpp"

namespace breakeven::composed {

namespace {

using executor::CallBuffer;
using executor::check_mpi;
using executor::MpiCall;

/// The call as it is the same on all ranks: what is reduced in elements, the rest in bytes.
kernels::CollectiveCall terms_of(const MpiCall& call) {
  kernels::CollectiveCall terms{.problem = {.collective = call.collective, .root = {call.root}}};
  check_mpi(PMPI_Comm_size(call.comm, &terms.problem.procs), "MPI_Comm_size");
  check_mpi(PMPI_Comm_rank(call.comm, &terms.problem.me.value), "MPI_Comm_rank");
  const CallBuffer& buffer = call.described();
  terms.count = buffer.count;
  if (reduces(call.collective)) {
    terms.datatype = executor::datatype_of(buffer.type).value();
    terms.op = executor::op_of(call.op).value();
  } else {
    terms.datatype = Datatype::byte;
    terms.count *= executor::size_of(buffer.type);
  }
  return terms;
}

/// The bytes of a buffer whose elements are reduced, with the gaps in a pair.
CallBuffer as_bytes(const CallBuffer& buffer, Datatype datatype) {
  if (!buffer.present()) return buffer;
  return {
      .address = buffer.address, .count = buffer.count * extent(datatype).value, .type = MPI_BYTE};
}

/// Of a call in place: where this rank's input begins in its output, in elements.
std::int64_t input_place(const kernels::CollectiveCall& terms, std::int64_t count) {
  const kernels::Problem& problem = terms.problem;
  const bool collects =
      problem.collective == Collective::allgather || problem.collective == Collective::gather;
  return collects ? problem.me.value * count : 0;
}

class ProgramCall {
 public:
  ProgramCall(const mock_ups::MockUp& mock_up, const MpiCall& call);

  void run(const std::byte* input, std::byte* output);

 private:
  /// Elements as this rank describes them, and as the mock-up takes them.
  struct Side {
    MPI_Datatype type = MPI_DATATYPE_NULL;  ///< null: nothing here
    int count = 0;                          ///< of these
    executor::Layout layout{};
    std::vector<std::byte> copy{};  ///< empty: the data is used in its place

    void hold(const CallBuffer& buffer, std::int64_t elements, bool copied, MPI_Comm comm);
  };
  void pack(Side& side, const std::byte* from) const;
  void unpack(const Side& side, std::byte* into) const;

  MPI_Comm comm_;
  bool in_output_ = false;        ///< the input lies in the output buffer
  std::int64_t input_place_ = 0;  ///< there, in bytes
  bool sends_output_ = false;     ///< a broadcast's root
  Side input_{};
  Side output_{};
  Run run_{};
};

void ProgramCall::Side::hold(const CallBuffer& buffer, std::int64_t elements, bool copied,
                             MPI_Comm comm) {
  type = buffer.type;
  layout = executor::layout_of(type, comm);
  const std::int64_t bytes = elements * layout.size;
  if (elements > std::numeric_limits<int>::max() || bytes > std::numeric_limits<int>::max()) {
    throw UsageError(fmt::format("{} bytes are more than MPI's int can count", bytes));
  }
  count = static_cast<int>(elements);
  // One more, so that there is an address where there is no data.
  if (copied || !layout.contiguous) copy.resize(static_cast<std::size_t>(bytes) + 1);
}

ProgramCall::ProgramCall(const mock_ups::MockUp& mock_up, const MpiCall& call) : comm_{call.comm} {
  const kernels::CollectiveCall terms = terms_of(call);
  const kernels::Problem& problem = terms.problem;
  const bool moved = !reduces(call.collective);
  run_ = compose({std::string{mock_up.terms}}, terms, moved ? MPI_BYTE : call.described().type,
                 call.op, comm_);
  const CallBuffer input = moved ? call.input : as_bytes(call.input, terms.datatype);
  const CallBuffer output = moved ? call.output : as_bytes(call.output, terms.datatype);
  // In a call's own elements; what is described is one share where it isn't the whole vector.
  const auto elements = [&](std::int64_t of_terms, const CallBuffer& buffer) {
    return terms.count == 0 ? 0 : of_terms / terms.count * buffer.count;
  };
  const bool broadcast = call.collective == Collective::bcast;
  const std::int64_t sent = broadcast ? 0 : kernels::input_elements(terms);
  const std::int64_t received = broadcast ? terms.count : kernels::output_elements(terms);
  in_output_ = call.in_place && !broadcast && !input.present() && sent > 0;
  sends_output_ = broadcast && problem.at_root();
  if (received > 0 && output.present()) {
    output_.hold(output, elements(received, output), false, comm_);
  } else if (received > 0) {
    output_.copy.resize(static_cast<std::size_t>(received) *
                        static_cast<std::size_t>(extent(terms.datatype).value));
  }
  if (in_output_) {
    input_.hold(output, elements(sent, output), true, comm_);
    input_place_ = input_place(terms, output.count) * input_.layout.extent;
  } else if (sent > 0) {
    input_.hold(input, elements(sent, input), false, comm_);
  }
}

void ProgramCall::pack(Side& side, const std::byte* from) const {
  int end = 0;
  check_mpi(PMPI_Pack(from, side.count, side.type, side.copy.data(),
                      static_cast<int>(side.copy.size()), &end, comm_),
            "MPI_Pack");
}

void ProgramCall::unpack(const Side& side, std::byte* into) const {
  int end = 0;
  check_mpi(PMPI_Unpack(side.copy.data(), static_cast<int>(side.copy.size()), &end, into,
                        side.count, side.type, comm_),
            "MPI_Unpack");
}

void ProgramCall::run(const std::byte* in, std::byte* out) {
  // Where there is no data, an address in place must not reach the library's other collectives.
  std::array<std::byte, 2> nothing{};
  const std::byte* from = &nothing[0];
  std::byte* into = &nothing[1];
  if (!input_.copy.empty()) {
    pack(input_, in_output_ ? out + input_place_ : in);
    from = input_.copy.data();
  } else if (input_.count > 0) {
    from = in + input_.layout.true_lower;
  }
  if (!output_.copy.empty()) {
    into = output_.copy.data();
    if (sends_output_) pack(output_, out);
  } else if (output_.count > 0) {
    into = out + output_.layout.true_lower;
  }
  run_(from, into);
  const bool there = output_.type != MPI_DATATYPE_NULL;
  if (there && !output_.copy.empty() && !sends_output_) unpack(output_, out);
}

}  // namespace

bool serves(const mock_ups::MockUp& mock_up, const MpiCall& call) {
  if (!mock_ups::runs_in_programs(mock_up)) return false;
  return !reduces(call.collective) ||
         (executor::datatype_of(call.described().type) && executor::op_of(call.op));
}

Run program_call(const mock_ups::MockUp& mock_up, const MpiCall& call) {
  const auto made = std::make_shared<ProgramCall>(mock_up, call);
  return [made](const std::byte* input, std::byte* output) { made->run(input, output); };
}

}  // namespace breakeven::composed
