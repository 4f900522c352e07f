// SPDX-License-Identifier: BSD-3-Clause
#include "executor/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "executor/charge.hpp"
#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"

namespace breakeven::executor {

namespace {

// `bench/messages`: up to kMostPacked copies of two runs are faster than a datatype of them; steps
// shorter than kLeastOverlapped gain less during messages than MPI_Sendrecv saves.
#ifdef OPEN_MPI
constexpr Bytes kMostPacked{1 << 10};
#else
constexpr Bytes kMostPacked{8 << 10};
#endif
constexpr Bytes kLeastOverlapped{8 << 10};

void require_fit(const Channel& channel, const kernels::Problem& problem) {
  const MPI_Comm members = channel.members == MPI_COMM_NULL ? channel.comm : channel.members;
  int procs = 0;
  int me = 0;
  check_mpi(MPI_Comm_size(members, &procs), "MPI_Comm_size");
  check_mpi(MPI_Comm_rank(members, &me), "MPI_Comm_rank");
  if (procs == problem.procs && me == problem.me.value) return;
  throw Error(fmt::format("a schedule for rank {} of {} can't run as rank {} of {}",
                          problem.me.value, problem.procs, me, procs));
}

/// Gives partners the channel's numbers: those of a plan are few where processes are many.
void renumber(BoundSchedule& schedule, const Channel& channel) {
  if (channel.members == MPI_COMM_NULL) return;
  std::vector<BoundMessage*> messages;
  std::vector<int> peers;
  for (BoundRound& round : schedule.rounds) {
    for (std::vector<BoundMessage>* const side : {&round.recvs, &round.sends}) {
      for (BoundMessage& each : *side) {
        messages.push_back(&each);
        peers.push_back(each.peer);
      }
    }
  }
  if (messages.empty()) return;
  const std::vector<int> there = ranks_in(channel.comm, channel.members, peers);
  for (std::size_t i = 0; i < there.size(); ++i) messages[i]->peer = there[i];
}

CallTerms terms_of(const kernels::CollectiveCall& call) {
  CallTerms terms{.call = call, .memory = memory_of(call)};
  if (reduces(call.problem.collective)) {
    terms.elements.kernel = reduce_kernel(call.op, call.datatype);
  }
  return terms;
}

/// Whether all ranks know that there is no data, so that no rank waits for a message: the counts of
/// others may be unknown to a rank of an irregular collective.
bool known_empty(const kernels::CollectiveCall& call) {
  return moves_data(call.problem.collective) && call.begins.empty() && call.count == 0;
}

/// The mean of the blocks, at least a byte.
std::int64_t bytes_of_block(const CallTerms& terms, int blocks) {
  const kernels::CollectiveCall& call = terms.call;
  const int shares = counts_one_block(call.problem.collective) ? call.problem.procs : 1;
  const std::int64_t elements = call.begins.empty() ? call.count * shares : call.begins.back();
  return std::max<std::int64_t>(1, elements * terms.memory.element_size / blocks);
}

/// Where scratch elements lie in the arena so that their data begins in it, aligned as the arena
/// is.
struct ScratchSpan {
  std::ptrdiff_t begin = 0;  ///< of the first element's address; may lie before the arena
  std::size_t bytes = 0;     ///< of the arena
};

ScratchSpan span_of(const Memory& memory, std::int64_t elements) {
  if (elements == 0) return {};
  const Layout& layout = memory.scratch.layout;
  const std::int64_t length = memory.distance(kernels::Buffer::scratch, elements);
  if (layout.contiguous) return {0, static_cast<std::size_t>(length)};
  const std::int64_t last = length - layout.extent;
  const std::int64_t lowest = std::min<std::int64_t>(0, last) + layout.true_lower;
  const std::int64_t end = std::max<std::int64_t>(0, last) + layout.true_lower + layout.true_extent;
  const auto alignment = static_cast<std::int64_t>(Arena::kAlignment);
  const std::int64_t begin = -(lowest / alignment) * alignment + (lowest < 0 ? alignment : 0);
  return {begin, static_cast<std::size_t>(begin + end)};
}

std::byte* address(const std::array<std::byte*, 3>& at, kernels::Buffer buffer,
                   std::ptrdiff_t offset) {
  return at[static_cast<std::size_t>(buffer)] + offset;
}
std::byte* address(const std::array<std::byte*, 3>& at, const Place& place) {
  return address(at, place.buffer, place.offset);
}
std::byte* address(const std::array<std::byte*, 3>& at, const Message& message) {
  return address(at, message.buffer, message.offset);
}

}  // namespace

Plan::Plan(kernels::Schedule schedule, CallTerms terms, Channel channel)
    : schedule_{std::move(schedule)}, terms_{std::move(terms)}, channel_{std::move(channel)} {
  const kernels::Problem& problem = terms_.call.problem;
  require_fit(channel_, problem);
  me_ = problem.me.value;
  if (channel_.members != MPI_COMM_NULL) {
    me_ = ranks_in(channel_.comm, channel_.members, std::array{me_}).front();
  }
}

Plan::Plan(kernels::Schedule schedule, const MpiCall& call, const kernels::Problem& problem,
           std::span<const std::int64_t> shares, const Channel& channel)
    : Plan{std::move(schedule), executor::terms_of(call, problem, channel.comm), channel} {
  refit(call, shares);
}

Plan::Plan(kernels::Schedule schedule, const kernels::CollectiveCall& call, MPI_Comm comm)
    : Plan{std::move(schedule), terms_of(call), Channel{.comm = comm}} {
  write();
}

void Plan::refit(const MpiCall& call, std::span<const std::int64_t> shares) {
  sizes_.input = -1;  // of no call, until all is done
  take_sizes(call, shares, terms_);
  write();
  sizes_.output = call.output.count;
  sizes_.shares = call.shares;
  sizes_.sent = call.sent;
  sizes_.told.assign(shares.begin(), shares.end());
  sizes_.input = call.input.count;
}

void Plan::write() {
  program_.rounds.clear();
  if (known_empty(terms_.call)) return;
  map_.cut(terms_.call, terms_.memory, schedule_.blocks);
  const BoundSchedule& schedule =
      bound({.in_place = terms_.memory.in_place,
             .output_unwanted = terms_.memory.output_unwanted,
             .cuts_input = map_.cuts_elements(kernels::Buffer::input),
             .cuts_output = map_.cuts_elements(kernels::Buffer::output)});
  map_.lay_out(schedule.slots, terms_.call, terms_.memory, schedule.blocks);
  write_program(schedule, map_, terms_, me_, program_);
  const ScratchSpan span = span_of(terms_.memory, map_.scratch_elements());
  scratch_begin_ = span.begin;
  channel_.arena->reserve(span.bytes);
  requests_.resize(program_.most_messages, MPI_REQUEST_NULL);
}

/// The passes choose by the size of the first call: one of a far larger size has another plan.
const BoundSchedule& Plan::bound(const Form& form) {
  auto& known = bound_[(form.cuts_input ? 1U : 0U) + (form.cuts_output ? 2U : 0U)];
  if (known != nullptr) return *known;
  const Elements& elements = terms_.elements;
  BoundSchedule made = bind_schedule(schedule_, terms_.call.problem, form);
  if (terms_.memory.contiguous()) {
    const bool exchangeable = elements.kernel != nullptr || elements.commutative;
    made = with_direct_arrivals(std::move(made), exchangeable);
  }
  if (elements.kernel == nullptr) {
    made = with_two_operands(std::move(made), elements.commutative);
  }
  if (terms_.memory.contiguous()) {
    const std::int64_t bytes = bytes_of_block(terms_, made.blocks);
    made = with_packed_runs(std::move(made), static_cast<int>(kMostPacked.value / bytes));
    made = with_overlap(std::move(made),
                        static_cast<int>((kLeastOverlapped.value + bytes - 1) / bytes));
  }
  renumber(made, channel_);
  known = std::make_unique<const BoundSchedule>(std::move(made));
  return *known;
}

Plan::Addresses Plan::addresses(const void* input, void* output) const {
  auto* const into = static_cast<std::byte*>(output);
  auto* const from = static_cast<std::byte*>(const_cast<void*>(input));
  return {terms_.memory.in_place ? into : from, into, channel_.arena->data() + scratch_begin_};
}

void Plan::run(const void* input, void* output, MPI_Op op) {
  const Addresses at = addresses(input, output);
  const Message* messages = program_.messages.data();
  const LocalStep* local = program_.locals.data();
  for (const ProgramRound& round : program_.rounds) {
    const LocalStep* const under_way = local;
    local += round.meanwhile;
    if (round.shape == Shape::many) {
      post(round, messages, at);
      for (const LocalStep* step = under_way; step != local; ++step) perform(*step, at, op);
      wait(round);
    } else {
      exchange(round, messages, at);
    }
    messages += round.recvs + round.sends;
    for (const LocalStep* end = local + round.locals; local != end; ++local) {
      perform(*local, at, op);
    }
  }
}

void Plan::start(const void* input, void* output, MPI_Op op) {
  started_ = {.at = addresses(input, output), .op = op};
  begin_round();
}

bool Plan::advance() {
  while (started_.round < program_.rounds.size()) {
    const ProgramRound& round = program_.rounds[started_.round];
    int arrived = 0;
    check_mpi(
        MPI_Testall(round.recvs + round.sends, requests_.data(), &arrived, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    if (arrived == 0) return false;
    end_round();
  }
  return true;
}

/// Ends rounds of local steps alone at once, so that messages leave as early as they can.
void Plan::begin_round() {
  if (started_.round == program_.rounds.size()) return;
  const ProgramRound& round = program_.rounds[started_.round];
  post(round, program_.messages.data() + started_.message, started_.at);
  started_.message += static_cast<std::size_t>(round.recvs + round.sends);
  perform_next(round.meanwhile);
  if (round.shape == Shape::none) end_round();
}

void Plan::end_round() {
  perform_next(program_.rounds[started_.round++].locals);
  begin_round();
}

void Plan::perform_next(int steps) {
  for (int i = 0; i < steps; ++i) {
    perform(program_.locals[started_.local++], started_.at, started_.op);
  }
}

void Plan::exchange(const ProgramRound& round, const Message* messages, const Addresses& at) {
  const auto recv = [&](const Message& into) {
    check_mpi(MPI_Recv(address(at, into), into.count, into.type, into.peer, channel_.tag,
                       channel_.comm, MPI_STATUS_IGNORE),
              "MPI_Recv");
  };
  switch (round.shape) {
    case Shape::none:
    case Shape::many: return;
    case Shape::send: {
      const Message& from = messages[0];
      check_mpi(MPI_Send(address(at, from), from.count, from.type, from.peer, channel_.tag,
                         channel_.comm),
                "MPI_Send");
      return;
    }
    case Shape::recv: return recv(messages[0]);
    case Shape::exchange: {
      const Message& into = messages[0];
      const Message& from = messages[1];
      check_mpi(MPI_Sendrecv(address(at, from), from.count, from.type, from.peer, channel_.tag,
                             address(at, into), into.count, into.type, into.peer, channel_.tag,
                             channel_.comm, MPI_STATUS_IGNORE),
                "MPI_Sendrecv");
      return;
    }
  }
}

void Plan::post(const ProgramRound& round, const Message* messages, const Addresses& at) {
  MPI_Request* request = requests_.data();
  const Message* const sends = messages + round.recvs;
  for (const Message* into = messages; into != sends; ++into) {
    check_mpi(MPI_Irecv(address(at, *into), into->count, into->type, into->peer, channel_.tag,
                        channel_.comm, request++),
              "MPI_Irecv");
  }
  for (const Message* from = sends; from != sends + round.sends; ++from) {
    check_mpi(MPI_Isend(address(at, *from), from->count, from->type, from->peer, channel_.tag,
                        channel_.comm, request++),
              "MPI_Isend");
  }
}

void Plan::wait(const ProgramRound& round) {
  check_mpi(MPI_Waitall(round.recvs + round.sends, requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
}

void Plan::perform(const LocalStep& step, const Addresses& at, MPI_Op op) const {
  switch (step.action) {
    case Action::copy:
      // Not std::ranges::copy, which GCC 12 turns into a byte loop on std::byte.
      std::memcpy(address(at, step.into), address(at, step.a), step.amount);
      return;
    case Action::copy_typed:
      return copy_typed(program_.self[step.amount], program_.self[step.amount + 1], at);
    case Action::reduce:
      terms_.elements.kernel(address(at, step.a), address(at, step.b), address(at, step.into),
                             step.amount);
      return charge_reduction(static_cast<std::int64_t>(step.amount) * extent());
    case Action::reduce_by_library: return reduce_by_library(step, at, op);
  }
}

void Plan::copy_typed(const Message& from, const Message& into, const Addresses& at) const {
  check_mpi(MPI_Sendrecv(address(at, from), from.count, from.type, from.peer, channel_.tag,
                         address(at, into), into.count, into.type, into.peer, channel_.tag,
                         channel_.comm, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
}

/// Of a step whose second operand is its result.
void Plan::reduce_by_library(const LocalStep& step, const Addresses& at, MPI_Op op) const {
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  const std::byte* in = address(at, step.a);
  std::byte* inout = address(at, step.into);
  for (std::size_t left = step.amount; left > 0;) {
    const std::size_t part = std::min(left, kMost);
    check_mpi(MPI_Reduce_local(in, inout, static_cast<int>(part), terms_.elements.scratch, op),
              "MPI_Reduce_local");
    in += static_cast<std::ptrdiff_t>(part) * extent();
    inout += static_cast<std::ptrdiff_t>(part) * extent();
    left -= part;
  }
  charge_reduction(static_cast<std::int64_t>(step.amount) * extent());
}

}  // namespace breakeven::executor
