// SPDX-License-Identifier: BSD-3-Clause
#include "executor/call_terms.hpp"

#include <fmt/format.h>

#include <bit>

#include "core/error.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven::executor {

namespace {

constexpr std::int64_t kLargestUnit = 16;  // no predefined element of C needs more alignment

std::vector<TypedShare> typed_shares(const std::shared_ptr<const Shares>& shares,
                                     std::span<const std::int64_t> bytes) {
  std::vector<TypedShare> typed;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == 0) continue;
    typed.push_back({bytes[i], shares->counts[i], shares->types[i], shares->displacements[i]});
  }
  return typed;
}

/// The datatypes of a call whose elements are reduced.
void take_reduced_elements(const MpiCall& call, MPI_Comm comm, CallTerms& terms) {
  const MPI_Datatype type = call.described().type;
  if (op_of(call.op) && datatype_of(type)) {
    terms.call.op = *op_of(call.op);
    terms.call.datatype = *datatype_of(type);
    terms.elements.kernel = reduce_kernel(terms.call.op, terms.call.datatype);
    terms.memory = memory_of(terms.call);
    return;
  }
  if (op_of(call.op) && !predefined(type)) {
    throw UsageError(fmt::format("MPI does not define the reduction '{}' on derived datatypes",
                                 kOps.of(*op_of(call.op))));
  }
  int commutative = 0;
  check_mpi(MPI_Op_commutative(call.op, &commutative), "MPI_Op_commutative");
  Layout layout = layout_of(type, comm);
  // The library is given whole elements by their addresses, not their data's.
  layout.contiguous = layout.contiguous && layout.true_lower == 0;
  terms.memory = {.element_size = layout.size,
                  .input = {.layout = layout},
                  .output = {.layout = layout},
                  .scratch = {.layout = layout}};
  terms.elements = {.input = type,
                    .output = type,
                    .scratch = type,
                    .kernel = nullptr,
                    .commutative = commutative != 0};
}

/// The datatypes of a call whose elements are only moved.
void take_moved_elements(const MpiCall& call, MPI_Comm comm, CallTerms& terms) {
  Memory& memory = terms.memory;
  const auto layout = [&](const CallBuffer& buffer) {
    return buffer.present() ? layout_of(buffer.type, comm) : memory.scratch.layout;
  };
  memory.input.layout = layout(call.input);
  memory.output.layout = layout(call.output);
  terms.elements.input = call.input.type;
  terms.elements.output = call.output.type;
  if (!call.in_place || !call.output.present()) return;
  memory.input.layout = memory.output.layout;
  terms.elements.input = terms.elements.output;
}

void take_reduced_sizes(const MpiCall& call, CallTerms& terms) {
  const bool data = terms.memory.element_size > 0;
  terms.call.count = data ? call.described().count : 0;
  if (!irregular(call.collective)) return;
  terms.call.begins.assign(1, 0);
  for (const std::int64_t count : call.counts()) {
    terms.call.begins.push_back(terms.call.begins.back() + (data ? count : 0));
  }
}

/// Of the whole vector, or of one share where they are equal, else nothing.
std::int64_t moved_bytes(const MpiCall& call, const Memory& memory) {
  if (irregular(call.collective)) return 0;
  const Layout& layout = (call.output.present() ? memory.output : memory.input).layout;
  return call.described().count * layout.size;
}

void require_agreement(const MpiCall& call, const CallBuffer& buffer, const Layout& layout,
                       std::int64_t own) {
  if (!buffer.present()) return;
  if (call.sent != nullptr || (call.shares != nullptr && &buffer == &call.of_all())) return;
  const std::int64_t named = buffer.count * layout.size;
  if (named == own) return;
  throw UsageError(fmt::format("{}: one buffer has {} bytes for a share, the other {}",
                               kCollectives.of(call.collective), own, named));
}

/// Where the displacements of a buffer say that its shares begin, in bytes.
void place_shares(const MpiCall& call, const CallBuffer& buffer, BufferMemory& memory) {
  memory.shares.clear();
  if (call.collective == Collective::alltoallw) return;  // typed shares have places
  const bool of_all = &buffer == &call.of_all();
  for (const std::int64_t displacement : displacements_in(of_all ? call.shares : call.sent)) {
    memory.shares.push_back(displacement * memory.layout.extent);
  }
}

/// Those that the call names: all, or this rank's alone, and 0 of the others.
void take_own_shares(const MpiCall& call, const kernels::Problem& problem,
                     std::vector<std::int64_t>& shares) {
  take_bytes(call.shares, call.of_all().type, shares);
  if (!shares.empty()) return;
  const CallBuffer& own = call.described();
  shares.assign(static_cast<std::size_t>(problem.procs), 0);
  shares[static_cast<std::size_t>(problem.me.value)] = own.count * size_of(own.type);
}

void take_moved_sizes(const MpiCall& call, std::span<const std::int64_t> shares, CallTerms& terms) {
  Memory& memory = terms.memory;
  const std::int64_t bytes = moved_bytes(call, memory);
  // Of the elements that `sent` counts: in place they lie in the output.
  std::vector<std::int64_t>& sent = terms.sent;
  take_bytes(call.sent, call.in_place ? call.output.type : call.input.type, sent);
  const auto me = static_cast<std::size_t>(terms.call.problem.me.value);
  const std::int64_t own = shares.empty() ? bytes : shares[me];
  require_agreement(call, call.input, memory.input.layout, own);
  require_agreement(call, call.output, memory.output.layout, own);
  std::int64_t bits = kLargestUnit | bytes;
  for (const std::int64_t share : shares) bits |= share;
  for (const std::int64_t share : sent) bits |= share;
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(bits));
  memory.element_size = std::int64_t{1} << zeros;  // the largest power of two that divides them all
  terms.call.count = bytes >> zeros;
  const auto take_begins = [zeros](std::span<const std::int64_t> of,
                                   std::vector<std::int64_t>& begins) {
    begins.clear();
    if (!of.empty()) begins.push_back(0);
    for (const std::int64_t share : of) begins.push_back(begins.back() + (share >> zeros));
  };
  take_begins(shares, terms.call.begins);
  take_begins(sent, terms.call.sent_begins);
  if (call.collective == Collective::alltoallw) {
    terms.elements.input_shares = typed_shares(call.sent, sent);
    terms.elements.output_shares = typed_shares(call.shares, shares);
  }
  place_shares(call, call.input, memory.input);
  place_shares(call, call.output, memory.output);
  if (memory.in_place && !collects(call.collective)) memory.input.shares = memory.output.shares;
}

}  // namespace

CallTerms terms_of(const MpiCall& call, const kernels::Problem& problem, MPI_Comm comm) {
  CallTerms terms{.call = {.problem = problem}};
  if (reduces(call.collective)) {
    take_reduced_elements(call, comm, terms);
  } else if (moves_data(call.collective)) {
    take_moved_elements(call, comm, terms);
  }
  terms.memory.output_unwanted = call.in_place && !call.output.present();
  terms.memory.in_place = call.in_place && call.output.present();
  return terms;
}

void take_sizes(const MpiCall& call, std::span<const std::int64_t> shares, CallTerms& terms) {
  if (reduces(call.collective)) {
    take_reduced_sizes(call, terms);
  } else if (moves_data(call.collective)) {
    if (!shares.empty() || !irregular(call.collective))
      return take_moved_sizes(call, shares, terms);
    take_own_shares(call, terms.call.problem, terms.shares);
    take_moved_sizes(call, terms.shares, terms);
  }
}

std::vector<std::int64_t> shares_of(const MpiCall& call, const kernels::Problem& problem,
                                    bool told) {
  if (!irregular(call.collective)) return {};
  std::vector<std::int64_t> shares;
  take_own_shares(call, problem, shares);
  if (told) {
    // Past our own replacement of it, where there is one.
    check_mpi(PMPI_Bcast(shares.data(), static_cast<int>(shares.size()), MPI_INT64_T, call.root,
                         call.comm),
              "MPI_Bcast");
  }
  return shares;
}

}  // namespace breakeven::executor
