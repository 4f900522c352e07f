// SPDX-License-Identifier: BSD-3-Clause
#include "executor/call_key.hpp"

#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven {

namespace {

void append(PlanKey& key, std::string_view text) {
  key.push_back(static_cast<std::int64_t>(text.size()));
  key.insert(key.end(), text.begin(), text.end());
}

void append(PlanKey& key, const CallBuffer& buffer) {
  if (!buffer.present()) {
    key.push_back(0);
    return;
  }
  key.insert(key.end(), {identity_of(buffer.type), buffer.count,
                         static_cast<std::int64_t>(buffer.displacements.size())});
  key.insert(key.end(), buffer.displacements.begin(), buffer.displacements.end());
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

void start_key(PlanKey& key, const Choice& choice, const MpiCall& call) {
  const auto& [algorithm, params] = choice.variant;
  key.assign({static_cast<std::int64_t>(call.collective),
              reinterpret_cast<std::intptr_t>(algorithm), call.root,
              choice.placement.procs_per_node, static_cast<std::int64_t>(choice.placement.mapping),
              static_cast<std::int64_t>(params.entries().size())});
  for (const auto& [name, value] : params.entries()) {
    append(key, name);
    append(key, value);
  }
}

void finish_key(PlanKey& key, const MpiCall& call, std::span<const std::int64_t> shares) {
  key.push_back(call.in_place ? 1 : 0);
  if (reduces(call.collective)) key.push_back(word_of(call.op));
  append(key, call.input);
  append(key, call.output);
  key.insert(key.end(), shares.begin(), shares.end());
}

}  // namespace breakeven
