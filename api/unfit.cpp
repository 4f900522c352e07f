// SPDX-License-Identifier: BSD-3-Clause
#include "api/unfit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "api/by_table.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/plan_of.hpp"
#include "libraries/forced/forced_algorithm.hpp"
#include "libraries/library_algorithm.hpp"
#include "mock_ups/composed/compose.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::api {

namespace {

using executor::CallBuffer;
using executor::MpiCall;
using libraries::Demand;

bool negative(std::int64_t count) { return count < 0; }

/// Of the shares in a buffer, where each has its own.
std::span<const std::int64_t> counts_of(const CallBuffer& buffer, const MpiCall& call) {
  return executor::counts_in(&buffer == &call.of_all() ? call.shares : call.sent);
}

bool holds_data(const CallBuffer& buffer, const MpiCall& call) {
  return buffer.present() &&
         (buffer.count > 0 ||
          std::ranges::any_of(counts_of(buffer, call), [](auto count) { return count > 0; }));
}

bool is_valid(const CallBuffer& buffer, const MpiCall& call) {
  if (!buffer.present()) return true;
  if (negative(buffer.count) || std::ranges::any_of(counts_of(buffer, call), negative)) {
    return false;
  }
  if (buffer.address == MPI_IN_PLACE) return false;
  // A derived datatype may hold addresses itself, from MPI_BOTTOM on; so may places in bytes.
  return buffer.address != nullptr || !holds_data(buffer, call) ||
         call.collective == Collective::alltoallw || !executor::predefined(buffer.type);
}

/// Whether the buffer of all shares has one for each process.
bool has_all_shares(const MpiCall& call, int procs) {
  const auto each = static_cast<std::size_t>(procs);
  if (!irregular(call.collective)) return true;
  if (call.counts().size() != each) return false;
  if (personalised(call.collective) && executor::counts_in(call.sent).size() != each) return false;
  return call.collective == Collective::reduce_scatter || call.displacements().size() == each;
}

bool commutes(MPI_Op op) {
  int commutative = 0;
  executor::check_mpi(MPI_Op_commutative(op, &commutative), "MPI_Op_commutative");
  return commutative != 0;
}

/// Whether all shares are known to be equal, on all ranks.
bool has_equal_counts(const MpiCall& call) {
  if (!irregular(call.collective)) return true;
  const auto counts = call.counts();
  return !sizes_differ_by_rank(call.collective) && !counts.empty() &&
         std::ranges::adjacent_find(counts, std::not_equal_to{}) == counts.end();
}

/// Ranks that reduce give the same datatype. Those that do not may give each its own, which differ
/// in their gaps and bounds.
bool is_known_everywhere(const MpiCall& call) {
  return reduces(call.collective) && executor::datatype_of(call.described().type).has_value();
}

bool without_gaps(MPI_Datatype type) {
  MPI_Aint low = 0;
  MPI_Aint extent = 0;
  executor::check_mpi(MPI_Type_get_extent(type, &low, &extent), "MPI_Type_get_extent");
  return extent == executor::size_of(type);
}

bool meets(const MpiCall& call, Demand demand, int procs) {
  switch (demand) {
    case Demand::commuting: return commutes(call.op);
    case Demand::built_in: return executor::op_of(call.op).has_value();
    case Demand::equal_counts: return has_equal_counts(call);
    case Demand::not_in_place: return !rooted(call.collective) && !call.in_place;
    case Demand::power_of_two: return (procs & (procs - 1)) == 0;
    case Demand::same_types:
    case Demand::not_below: return is_known_everywhere(call);
    case Demand::types_without_gaps:
      return is_known_everywhere(call) && without_gaps(call.described().type);
    case Demand::same_counts: return reduces(call.collective);
    case Demand::not_persistent:
    case Demand::not_empty: return true;  // these calls are blocking
    case Demand::no_idup: return true;    // that is no call of the program's
    case Demand::known: return false;
  }
  return false;
}

/// Of one of the library's own algorithms.
std::optional<std::string> unfit(const Case& what, const MpiCall& call) {
  if (what.variant.library()->library != BREAKEVEN_MPI) return "which is another MPI library's";
  if (const auto reason = libraries::refusal(what)) return "which " + *reason;
  if (!forced::forces_each_call(what)) return "which can't be forced for a single call";
  // The number of elements is not known of others.
  if (reduces(call.collective) && !is_known_everywhere(call))
    return "which needs a datatype of MPI's";
  std::vector<libraries::Requirement> harmed = libraries::requirements_of(what);
  std::erase_if(harmed, [&](const auto& each) { return meets(call, each.demand, what.procs); });
  if (harmed.empty()) return std::nullopt;
  return "which " + libraries::harm_of(harmed);
}

std::optional<std::string> named_unfit(const Case& what, const MpiCall& call) {
  const std::optional<std::string> reason = unfit(what, call);
  if (!reason) return std::nullopt;
  return fmt::format("{}, {}", algorithm_text(what), *reason);
}

std::optional<std::string> unfit(const Composed& mock_up, const MpiCall& call) {
  const mock_ups::MockUp* const known = mock_ups::find(call.collective, mock_up);
  if (known == nullptr) {
    return fmt::format("{} has no mock-up '{}'", kCollectives.of(call.collective),
                       to_text(mock_up));
  }
  if (composed::serves(*known, call)) return std::nullopt;
  return fmt::format(
      "{} can't do this call: mock-ups do those of regular collectives, and reductions of MPI's "
      "own datatypes and operations",
      to_text(mock_up));
}

/// Of one of ours.
std::optional<std::string> unfit(const kernels::Instance& by, const MpiCall& call) {
  if (!reduces(call.collective) || executor::keeps_order(by, call)) return std::nullopt;
  return fmt::format(
      "{}/{} does not keep operands in rank order, which an operation that does not commute needs",
      kCollectives.of(call.collective), by.algorithm->name);
}

}  // namespace

bool is_valid(const MpiCall& call, int procs, int me) {
  if (rooted(call.collective) && (call.root < 0 || call.root >= procs)) return false;
  if (reduces(call.collective) && call.op == MPI_OP_NULL) return false;
  if (!is_valid(call.input, call) || !is_valid(call.output, call)) return false;
  if (!moves_data(call.collective)) return true;
  if (call.collective == Collective::bcast) return call.output.present();
  // Every rank has a buffer `each`, unless it lies in the buffer `all`, which the root has, or,
  // without a root, every rank.
  const bool spreads = regular(call.collective) == Collective::scatter;
  const CallBuffer& each = spreads ? call.output : call.input;
  const CallBuffer& all = spreads ? call.input : call.output;
  if (rooted(call.collective) && me != call.root) return each.present();
  if (call.collective == Collective::exscan && me == 0 && !call.in_place) return each.present();
  if (!all.present() || !has_all_shares(call, procs)) return false;
  if (call.in_place) return true;
  if (!each.present()) return false;
  if (each.address != all.address || !holds_data(each, call) || !holds_data(all, call)) return true;
  // Datatypes of the program's own may name other bytes from one address on.
  const bool plain = reduces(call.collective) ||
                     (call.collective != Collective::alltoallw && executor::predefined(each.type) &&
                      executor::predefined(all.type));
  return !plain;
}

Case library_case(const Variant& choice, const MpiCall& call, const NodeLayout& layout) {
  const CallBuffer& buffer = call.described();
  const auto known = buffer.present() ? executor::datatype_of(buffer.type) : std::nullopt;
  return {.collective = call.collective,
          .variant = choice,
          .procs = layout.procs,
          .nodes = layout.nodes,
          .procs_per_node = layout.procs_per_node,
          .mapping = layout.mapping,
          .message = message_of(call),
          .datatype = known.value_or(Datatype::byte),
          .root = Rank{call.root},
          .counts = has_equal_counts(call) ? Counts::equal : Counts::linear};
}

std::optional<std::string> unfit(const Variant& choice, const MpiCall& call,
                                 const NodeLayout& layout) {
  return std::visit(
      Overloaded{
          [](Native) { return std::optional<std::string>{}; },
          [&](const LibraryOwn&) { return named_unfit(library_case(choice, call, layout), call); },
          [&](const Composed& mock_up) { return unfit(mock_up, call); },
          [&](const auto&) {
            return unfit(kernels::find_instance(call.collective, choice), call);
          }},
      choice);
}

}  // namespace breakeven::api
