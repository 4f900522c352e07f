// SPDX-License-Identifier: BSD-3-Clause
#include "api/unfit.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "api/by_table.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "libraries/forced/forced_algorithm.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::api {

namespace {

using executor::MpiCall;
using libraries::Demand;

bool commutes(MPI_Op op) {
  int commutative = 0;
  executor::check_mpi(MPI_Op_commutative(op, &commutative), "MPI_Op_commutative");
  return commutative != 0;
}

/// Whether all shares are known to be equal, on all ranks.
bool has_equal_counts(const MpiCall& call) {
  if (!irregular(call.collective)) return true;
  const auto& counts = call.described().counts;
  return !counts.empty() && std::ranges::adjacent_find(counts, std::not_equal_to{}) == counts.end();
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
    case Demand::no_idup: return true;  // that is no call of the program's
  }
  return false;
}

}  // namespace

Case library_case(std::string_view algorithm, const MpiCall& call, const NodeLayout& layout) {
  const executor::CallBuffer& buffer = call.described();
  const auto known = buffer.present() ? executor::datatype_of(buffer.type) : std::nullopt;
  return with_variant({.collective = call.collective,
                       .procs = layout.procs,
                       .nodes = layout.nodes,
                       .procs_per_node = layout.procs_per_node,
                       .mapping = layout.mapping,
                       .message = message_of(call),
                       .datatype = known.value_or(Datatype::byte),
                       .root = Rank{call.root},
                       .counts = has_equal_counts(call) ? Counts::equal : Counts::linear},
                      Variant::parse(algorithm));
}

std::optional<std::string> unfit(const Case& what, const MpiCall& call) {
  if (what.variant.library()->library != BREAKEVEN_MPI) return "which is another MPI library's";
  if (const auto reason = libraries::refusal(what)) return "which " + *reason;
  if (!forced::forces_each_call(what)) return "which can't be forced for a single call";
  // How many elements there are is not known of others.
  if (reduces(call.collective) && !is_known_everywhere(call))
    return "which needs a datatype of MPI's";
  std::vector<libraries::Requirement> harmed = libraries::requirements_of(what);
  std::erase_if(harmed, [&](const auto& each) { return meets(call, each.demand, what.procs); });
  if (harmed.empty()) return std::nullopt;
  return "which " + libraries::harm_of(harmed);
}

}  // namespace breakeven::api
