// SPDX-License-Identifier: BSD-3-Clause
#include "executor/call_key.hpp"

#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven::executor {

namespace {

void append(PlanKey& key, std::string_view text) {
  key.push_back(static_cast<std::int64_t>(text.size()));
  key.insert(key.end(), text.begin(), text.end());
}

void append(PlanKey& key, const CallBuffer& buffer, std::int64_t identity) {
  key.insert(key.end(),
             {identity, buffer.count, static_cast<std::int64_t>(buffer.displacements.size())});
  key.insert(key.end(), buffer.displacements.begin(), buffer.displacements.end());
}

void append(PlanKey& key, const kernels::Placement& placement) {
  const Mapping& mapping = placement.mapping;
  key.insert(key.end(), {placement.procs_per_node, static_cast<std::int64_t>(mapping.kind()),
                         mapping.block(), static_cast<std::int64_t>(mapping.listed().size())});
  key.insert(key.end(), mapping.listed().begin(), mapping.listed().end());
}

/// What a plan knows of an operation. A user's is given to each run, so all are one but for their
/// order: a handle may be another operation's next time.
std::int64_t word_of(MPI_Op op) {
  if (const auto known = op_of(op)) return static_cast<std::int64_t>(*known);
  int commutative = 0;
  check_mpi(MPI_Op_commutative(op, &commutative), "MPI_Op_commutative");
  return commutative != 0 ? -1 : -2;
}

}  // namespace

void start_key(PlanKey& key, const ChosenVariant& choice, const MpiCall& call) {
  const auto& [algorithm, params] = choice.variant;
  key.assign({static_cast<std::int64_t>(call.collective),
              reinterpret_cast<std::intptr_t>(algorithm), call.root});
  append(key, choice.placement);
  key.push_back(static_cast<std::int64_t>(params.entries().size()));
  for (const auto& [name, value] : params.entries()) {
    append(key, name);
    append(key, value);
  }
}

void finish_key(PlanKey& key, const MpiCall& call, std::span<const std::int64_t> shares) {
  // A call in place is one whose input or output is not present: its identity is 0.
  if (reduces(call.collective)) key.push_back(word_of(call.op));
  const auto identity = [](MPI_Datatype type) {
    return type == MPI_DATATYPE_NULL ? 0 : identity_of(type);
  };
  const std::int64_t input = identity(call.input.type);
  const bool same = call.output.type == call.input.type;
  append(key, call.input, input);
  append(key, call.output, same ? input : identity(call.output.type));
  key.insert(key.end(), shares.begin(), shares.end());
}

}  // namespace breakeven::executor
