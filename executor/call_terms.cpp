// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <numeric>

#include "core/error.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/plan_of.hpp"

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

class Translator {
 public:
  Translator(const MpiCall& call, const kernels::Problem& problem,
             std::span<const std::int64_t> shares, MPI_Comm comm)
      : call_{call}, shares_{shares}, comm_{comm} {
    terms_.call.problem = problem;
  }

  [[nodiscard]] CallTerms terms() && {
    if (reduces(call_.collective)) {
      take_reduced_elements();
    } else if (moves_data(call_.collective)) {
      take_moved_elements();
    }
    return std::move(terms_);
  }

 private:
  void take_reduced_elements();
  void take_moved_elements();
  void take_kernel(MPI_Datatype type);
  void take_library_reduction(MPI_Datatype type);
  void place_shares();
  [[nodiscard]] std::int64_t moved_bytes() const;
  void require_agreement(const CallBuffer& buffer, std::int64_t bytes) const;

  const MpiCall& call_;
  std::span<const std::int64_t> shares_;
  MPI_Comm comm_;
  CallTerms terms_;
};

void Translator::take_reduced_elements() {
  const CallBuffer& buffer = call_.described();
  if (op_of(call_.op) && datatype_of(buffer.type)) {
    take_kernel(buffer.type);
  } else {
    take_library_reduction(buffer.type);
  }
  const bool data = size_of(buffer.type) > 0;
  terms_.call.count = data ? buffer.count : 0;
  if (irregular(call_.collective)) {
    std::vector<std::int64_t> counts;
    for (const std::int64_t count : call_.counts()) counts.push_back(data ? count : 0);
    terms_.call.begins = kernels::begins_of(counts);
  }
  if (call_.in_place) terms_.memory.input_in_output = 0;
}

void Translator::take_kernel(MPI_Datatype type) {
  terms_.call.op = *op_of(call_.op);
  terms_.call.datatype = *datatype_of(type);
  terms_.elements.kernel = reduce_kernel(terms_.call.op, terms_.call.datatype);
  terms_.memory = memory_of(terms_.call);
}

void Translator::take_library_reduction(MPI_Datatype type) {
  if (op_of(call_.op) && !predefined(type)) {
    throw UsageError(fmt::format("MPI does not define the reduction '{}' on derived datatypes",
                                 kOps.of(*op_of(call_.op))));
  }
  int commutative = 0;
  check_mpi(MPI_Op_commutative(call_.op, &commutative), "MPI_Op_commutative");
  Layout layout = layout_of(type, comm_);
  // The library is given whole elements by their addresses, not their data's.
  layout.contiguous = layout.contiguous && layout.true_lower == 0;
  terms_.memory = {.element_size = layout.size,
                   .input = {.layout = layout},
                   .output = {.layout = layout},
                   .scratch = {.layout = layout}};
  terms_.elements = {.input = type,
                     .output = type,
                     .scratch = type,
                     .kernel = nullptr,
                     .commutative = commutative != 0};
}

void Translator::take_moved_elements() {
  Memory& memory = terms_.memory;
  const std::int64_t bytes = moved_bytes();
  memory.element_size = std::gcd(kLargestUnit, bytes);
  for (const std::int64_t share : shares_) {
    memory.element_size = std::gcd(memory.element_size, share);
  }
  // Of the elements that `sent` counts: in place they lie in the output.
  const std::vector<std::int64_t> sent =
      bytes_in(call_.sent, call_.in_place ? call_.output.type : call_.input.type);
  for (const std::int64_t share : sent) {
    memory.element_size = std::gcd(memory.element_size, share);
  }
  memory.scratch.layout = contiguous_layout({memory.element_size});
  const auto layout = [&](const CallBuffer& buffer) {
    return buffer.present() ? layout_of(buffer.type, comm_) : memory.scratch.layout;
  };
  memory.input.layout = layout(call_.input);
  memory.output.layout = layout(call_.output);
  terms_.elements.input = call_.input.type;
  terms_.elements.output = call_.output.type;
  require_agreement(call_.input, bytes);
  require_agreement(call_.output, bytes);
  terms_.call.count = bytes / memory.element_size;
  const auto begins = [&](std::span<const std::int64_t> shares) {
    std::vector<std::int64_t> counts;
    for (const std::int64_t share : shares) counts.push_back(share / memory.element_size);
    return kernels::begins_of(counts);
  };
  if (!shares_.empty()) terms_.call.begins = begins(shares_);
  if (!sent.empty()) terms_.call.sent_begins = begins(sent);
  if (call_.collective == Collective::alltoallw) {
    terms_.elements.input_shares = typed_shares(call_.sent, sent);
    terms_.elements.output_shares = typed_shares(call_.shares, shares_);
  }
  place_shares();
}

/// Of the whole vector, or of one share where they are equal, else nothing.
std::int64_t Translator::moved_bytes() const {
  if (irregular(call_.collective)) return 0;
  return call_.described().count * size_of(call_.described().type);
}

void Translator::require_agreement(const CallBuffer& buffer, std::int64_t bytes) const {
  if (!buffer.present()) return;
  if (call_.sent != nullptr || (call_.shares != nullptr && &buffer == &call_.of_all())) return;
  const auto me = static_cast<std::size_t>(terms_.call.problem.me.value);
  const std::int64_t own = shares_.empty() ? bytes : shares_[me];
  const std::int64_t named = buffer.count * size_of(buffer.type);
  if (named == own) return;
  throw UsageError(fmt::format("{}: one buffer has {} bytes for a share, the other {}",
                               kCollectives.of(call_.collective), own, named));
}

/// Puts shares where the displacements say, and a buffer in place into the other one.
void Translator::place_shares() {
  Memory& memory = terms_.memory;
  const auto offsets = [&](const CallBuffer& buffer, const Layout& layout) {
    std::vector<std::int64_t> begins;
    if (call_.collective == Collective::alltoallw) return begins;  // typed shares have places
    const bool of_all = &buffer == &call_.of_all();
    for (const std::int64_t displacement : displacements_in(of_all ? call_.shares : call_.sent)) {
      begins.push_back(displacement * layout.extent);
    }
    return begins;
  };
  memory.input.shares = offsets(call_.input, memory.input.layout);
  memory.output.shares = offsets(call_.output, memory.output.layout);
  if (!call_.in_place) return;
  if (!call_.output.present()) {
    memory.output_unwanted = true;
    return;
  }
  memory.input.layout = memory.output.layout;
  terms_.elements.input = terms_.elements.output;
  const int me = terms_.call.problem.me.value;
  if (!collects(call_.collective)) {
    memory.input_in_output = 0;
    memory.input.shares = memory.output.shares;
  } else if (memory.output.shares.empty()) {
    const std::int64_t before = kernels::block_begin(terms_.call, terms_.call.problem.procs, me);
    memory.input_in_output = memory.distance(kernels::Buffer::output, before);
  } else {
    memory.input_in_output = memory.output.shares[static_cast<std::size_t>(me)];
  }
}

}  // namespace

CallTerms terms_of(const MpiCall& call, const kernels::Problem& problem,
                   std::span<const std::int64_t> shares, MPI_Comm comm) {
  return Translator{call, problem, shares, comm}.terms();
}

}  // namespace breakeven::executor
