// SPDX-License-Identifier: BSD-3-Clause
#include "api/comm_calls.hpp"

#include <algorithm>
#include <atomic>

#include "api/by_table.hpp"
#include "api/unfit.hpp"
#include "core/error.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/plan_of.hpp"
#include "mock_ups/composed/compose.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::api {

namespace {

using executor::check_mpi;
using executor::MpiCall;

int delete_calls(MPI_Comm, int, void* calls, void*) {
  ++executor::freed_handles();
  delete static_cast<CommCalls*>(calls);
  return MPI_SUCCESS;
}

void append(std::vector<std::intptr_t>& words, std::span<const std::int64_t> numbers) {
  words.push_back(std::ssize(numbers));
  words.insert(words.end(), numbers.begin(), numbers.end());
}

/// Adds products that the processor makes at once.
std::uint64_t hash_of(const CallKey& key) {
  std::uint64_t factor = kGoldenRatio;
  std::uint64_t sum = 0;
  for (const std::intptr_t word : key.head) {
    sum += static_cast<std::uint64_t>(word) * factor;
    factor += 0xD1B54A32D192ED02;  // to another odd number
  }
  return (sum ^ sum >> 32U) ^ (key.tail.empty() ? 0 : mixed(key.tail));
}

kernels::Placement placement_of(const NodeLayout& layout) {
  return {.procs_per_node = layout.procs_per_node, .mapping = layout.mapping};
}

}  // namespace

int make_keyval(MPI_Comm_delete_attr_function* end) {
  int keyval = MPI_KEYVAL_INVALID;
  check_mpi(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &keyval, nullptr),
            "MPI_Comm_create_keyval");
  return keyval;
}

CommCalls::CommCalls(MPI_Comm comm) : comm_{comm} {}

CommCalls::~CommCalls() { close(); }

CommCalls& CommCalls::of(MPI_Comm comm) {
  static const int keyval = make_keyval(delete_calls);
  void* calls = nullptr;
  int found = 0;
  int inter = 0;
  check_mpi(MPI_Comm_get_attr(comm, keyval, &calls, &found), "MPI_Comm_get_attr");
  if (found != 0) return *static_cast<CommCalls*>(calls);
  check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  if (inter != 0) throw UsageError("Breakeven has no algorithms between two groups of processes");
  auto made = std::make_unique<CommCalls>(comm);
  check_mpi(MPI_Comm_set_attr(comm, keyval, made.get()), "MPI_Comm_set_attr");
  return *made.release();
}

void CommCalls::write_tail(const MpiCall& call, std::string_view by,
                           std::span<const std::int64_t> shares) {
  key_.tail.clear();
  if (irregular(call.collective)) {
    append(key_.tail, call.counts());
    append(key_.tail, call.displacements());
    append(key_.tail, executor::counts_in(call.sent));
    append(key_.tail, executor::displacements_in(call.sent));
    for (const auto* each : {&call.shares, &call.sent}) {
      for (const MPI_Datatype type : executor::types_in(*each)) key_.tail.push_back(bits_of(type));
    }
    append(key_.tail, shares);
  }
  key_.tail.insert(key_.tail.end(), by.begin(), by.end());
}

KeptChoice* CommCalls::find_among_all(const MpiCall& call) {
  const std::uint64_t hash = hash_of(key_);
  for (const Entries::iterator entry : bucket(hash)) {
    if (entry->hash != hash || entry->key != key_) continue;
    if (!still_holds(*entry, call)) return drop(entry), nullptr;
    entries_.splice(entries_.begin(), entries_, entry);
    return &entry->kept;
  }
  return nullptr;
}

KeptChoice& CommCalls::keep(const MpiCall& call, KeptChoice made) {
  if (entries_.size() == kMost) drop(std::prev(entries_.end()));
  // From now on the ends of the call's datatypes are counted.
  const Identity identity = identity_of(call);
  const std::uint64_t hash = hash_of(key_);
  entries_.push_front({key_, hash, identity, executor::freed_handles(), std::move(made)});
  if (entries_.size() > buckets_.size()) {
    grow();
  } else {
    bucket(hash).push_back(entries_.begin());
  }
  return entries_.front().kept;
}

void CommCalls::drop(Entries::iterator entry) {
  std::erase(bucket(entry->hash), entry);
  entries_.erase(entry);
}

void CommCalls::grow() {
  buckets_.assign(4 * std::max<std::size_t>(buckets_.size(), 1), {});
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    bucket(entry->hash).push_back(entry);
  }
}

CommCalls::Identity CommCalls::identity_of(const MpiCall& call) {
  Identity identity;
  if (call.input.present()) identity.types[0] = executor::identity_of(call.input.type);
  if (call.output.present()) identity.types[1] = executor::identity_of(call.output.type);
  for (const auto* shares : {&call.shares, &call.sent}) {
    const auto types = executor::types_in(*shares);
    for (std::size_t i = 0; i < types.size(); ++i) {
      if ((*shares)->counts[i] <= 0) continue;
      identity.share_types.push_back(executor::identity_of(types[i]));
    }
  }
  if (reduces(call.collective) && !executor::op_of(call.op)) {
    int commutative = 0;
    check_mpi(MPI_Op_commutative(call.op, &commutative), "MPI_Op_commutative");
    identity.commutes = commutative != 0;
  }
  return identity;
}

/// A plan knows of a program's operation whether it commutes, and is given it in each call. Its end
/// is not counted: it is looked at each time.
bool CommCalls::still_holds(Entry& entry, const MpiCall& call) {
  const std::uint64_t freed = executor::freed_handles().load(std::memory_order_acquire);
  if (entry.freed == freed && !entry.identity.commutes) return true;
  if (identity_of(call) != entry.identity) return false;
  entry.freed = freed;
  return true;
}

std::vector<std::int64_t> CommCalls::shares_of(const Variant& choice, const MpiCall& call,
                                               const NodeLayout& layout) {
  if (!irregular(call.collective) || !choice.is<Ours>()) return {};
  const kernels::Instance by = kernels::find_instance(call.collective, choice);
  const kernels::Problem problem = executor::problem_of(by, call, placement_of(layout));
  if (!rooted(call.collective)) return executor::shares_of(call, problem, false);
  const auto key = std::tie(call.collective, choice, call.root);
  auto known = passes_on_.find(key);
  if (known == passes_on_.end()) {
    known = passes_on_.emplace(key, executor::passes_on_shares(*by.algorithm, problem)).first;
  }
  return executor::shares_of(call, problem, known->second);
}

BoundChoice CommCalls::bind(const Variant& choice, const MpiCall& call, const NodeLayout& layout,
                            std::span<const std::int64_t> shares, forced::Unable unable) {
  return std::visit(
      Overloaded{[](Native) { return BoundChoice{}; },
                 [&](const LibraryOwn&) {
                   return BoundChoice{forced(library_case(choice, call, layout), unable), choice};
                 },
                 [&](const Composed&) {
                   const mock_ups::MockUp& mock_up = *mock_ups::find(call.collective, choice);
                   return BoundChoice{composed::program_call(mock_up, call), choice};
                 },
                 [&](const auto&) { return bound_to_plan(choice, call, layout, shares); }},
      choice);
}

BoundChoice CommCalls::bound_to_plan(const Variant& choice, const MpiCall& call,
                                     const NodeLayout& layout,
                                     std::span<const std::int64_t> shares) {
  const kernels::Instance by = kernels::find_instance(call.collective, choice);
  const kernels::Problem problem = executor::problem_of(by, call, placement_of(layout));
  return {std::make_shared<executor::Plan>(
              executor::plan_of(*by.algorithm, problem, call, shares, channel())),
          kernels::variant_of(by)};
}

BoundChoice::Forced CommCalls::forced(const Case& what, forced::Unable unable) {
  BoundChoice::Forced& known = forced_[{what.collective, what.variant}];
  try {
    if (known == nullptr) known = forced::force_in_program(what, comm_, unable);
  } catch (const Error& error) {
    throw UsageError(error.what());  // another version's
  }
  return known;
}

}  // namespace breakeven::api
