// SPDX-License-Identifier: BSD-3-Clause
#include "api/comm_calls.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <numeric>

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
/// Sizes with the same highest bit have the same.
std::uint64_t hash_of(const CallKey& key, std::int64_t size) {
  std::uint64_t factor = kGoldenRatio;
  auto sum = static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(size)));
  sum *= 0xE7037ED1A0B428DB;  // an odd number, too
  for (const std::intptr_t word : key.head) {
    sum += static_cast<std::uint64_t>(word) * factor;
    factor += 0xD1B54A32D192ED02;  // to another odd number
  }
  return (sum ^ sum >> 32U) ^ (key.tail.empty() ? 0 : mixed(key.tail));
}

/// A range of sizes in elements.
struct ElementRange {
  std::int64_t first = 0;
  std::int64_t end = 0;
};

/// The sizes of up to twice the least, in elements and in bytes, around one in a range of messages.
ElementRange elements_like(const MpiCall& call, std::int64_t size, SizeRange messages) {
  const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(size)));
  if (!call.described().present() || size == 0) return {size, size + 1};
  const std::int64_t of_element = executor::size_of(call.described().type);
  const std::int64_t message = message_of(call).value;
  if (of_element == 0 || message == 0) return {size, size + 1};
  const auto in_bytes =
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(message)));
  const auto shares = std::max<std::int64_t>(1, std::ssize(call.counts()));
  const auto elements = [&](Bytes bytes) {  // the fewest whose message is that long
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (bytes.value > kMost / shares - of_element) return kMost;
    return (bytes.value * shares + of_element - 1) / of_element;
  };
  return {std::max({power, elements({in_bytes}), elements(messages.first)}),
          std::min({2 * power, elements({2 * in_bytes}), elements(messages.end)})};
}

kernels::Placement placement_of(const NodeLayout& layout) {
  return {.procs_per_node = layout.procs_per_node, .mapping = layout.mapping};
}

BoundChoice::Plan plan_on(const executor::Channel& channel, const kernels::Instance& by,
                          const MpiCall& call, const NodeLayout& layout,
                          std::span<const std::int64_t> shares) {
  const kernels::Problem problem = executor::problem_of(by, call, placement_of(layout));
  return std::make_shared<executor::Plan>(
      executor::plan_of(*by.algorithm, problem, call, shares, channel));
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

std::int64_t CommCalls::size_of_shares(const MpiCall& call) {
  if (sizes_differ_by_rank(call.collective)) return 0;
  const auto counts = call.counts();
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

void CommCalls::write_exact_key(const MpiCall& call) {
  exact_key_ = key_;
  std::vector<std::intptr_t>& tail = exact_key_.tail;
  tail.push_back(-1);  // no character of a name
  for (const auto* each : {&call.shares, &call.sent}) {
    append(tail, executor::counts_in(*each));
    append(tail, executor::displacements_in(*each));
    for (const MPI_Datatype type : executor::types_in(*each)) tail.push_back(bits_of(type));
  }
}

KeptChoice* CommCalls::find_among_all(const MpiCall& call) {
  if (KeptChoice* const found = find_by(key_, call)) return found;
  if (!irregular(call.collective)) return nullptr;
  write_exact_key(call);
  return find_by(exact_key_, call);
}

KeptChoice* CommCalls::find_by(const CallKey& key, const MpiCall& call) {
  const std::uint64_t hash = hash_of(key, size_);
  for (const Entries::iterator entry : bucket(hash)) {
    if (entry->hash != hash || !entry->holds(key, size_, call.input.count)) continue;
    if (!still_holds(*entry, call)) return drop(entry), nullptr;
    entries_.splice(entries_.begin(), entries_, entry);
    return &entry->kept;
  }
  return nullptr;
}

KeptChoice& CommCalls::keep(const MpiCall& call, KeptChoice made, std::optional<SizeRange> sizes) {
  if (entries_.size() == kMost) drop(std::prev(entries_.end()));
  // An alltoallw has a datatype for each share.
  const bool exact = !sizes || call.collective == Collective::alltoallw;
  const bool by_shares = exact && irregular(call.collective);
  if (by_shares) write_exact_key(call);
  const CallKey& key = by_shares ? exact_key_ : key_;
  const auto [first, end] =
      exact ? ElementRange{size_, size_ + 1} : elements_like(call, size_, *sizes);
  // From now on the ends of the call's datatypes are counted.
  const Identity identity = identity_of(call);
  const std::uint64_t hash = hash_of(key, size_);
  entries_.push_front({key, first, end, exact ? call.input.count : -1, hash, identity,
                       executor::freed_handles(), std::move(made)});
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
  if (!root_knows_shares(call.collective) || !choice.is<Ours>()) return {};
  const kernels::Instance by = kernels::find_instance(call.collective, choice);
  const kernels::Problem problem = executor::problem_of(by, call, placement_of(layout));
  const auto key = std::tie(call.collective, choice, call.root);
  auto known = passes_on_.find(key);
  if (known == passes_on_.end()) {
    known = passes_on_.emplace(key, executor::passes_on_shares(*by.algorithm, problem)).first;
  }
  if (!known->second) return {};
  return executor::shares_of(call, problem, true);
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
  return {plan_on(channel(), by, call, layout, shares), kernels::variant_of(by)};
}

BoundChoice::Plan CommCalls::startable_plan(const Variant& choice, const MpiCall& call,
                                            const NodeLayout& layout,
                                            std::span<const std::int64_t> shares) {
  // Tag 0 is that of all others. Some 2^15 plans or more later a tag serves another plan.
  static const auto most = static_cast<unsigned>(most_tag());
  const auto tag = static_cast<int>(startable_++ % most + 1);
  const executor::Channel apart{.comm = own().get(), .tag = tag};
  return plan_on(apart, kernels::find_instance(call.collective, choice), call, layout, shares);
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
