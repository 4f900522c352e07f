// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include "core/launch.hpp"
#include "core/mapping.hpp"
#include "core/variant.hpp"
#include "executor/mpi_call.hpp"
#include "tables/table.hpp"

namespace breakeven::api {

/// The choices for one collective on communicators of one layout, by the first message size of
/// each. Empty where everything is left to the library.
using SizeChoices = std::map<Bytes, Variant>;

/// The choices on communicators of one layout.
struct LayoutChoices {
  NodeLayout layout{};
  std::array<SizeChoices, kCollectives.entries.size()> of_collectives{};

  [[nodiscard]] const SizeChoices& of(Collective collective) const {
    return of_collectives[static_cast<std::size_t>(collective)];
  }
};

/// @param of_table  the machine on which a table was measured
/// @throws UsageError naming both where that is another MPI library, version or processor.
void require_this_machine(const Machine& of_table);

/// A table's choices. A collective whose sizes differ by rank is left to the library where the
/// table chooses by size.
[[nodiscard]] LayoutChoices choices_of(const tables::Table& table, const NodeLayout& layout);

/// Whether only the root knows the shares of others.
[[nodiscard]] constexpr bool root_knows_shares(Collective collective) {
  return rooted(collective) && irregular(collective);
}
/// Whether ranks do not know each other's message sizes in the sense of tables.
[[nodiscard]] constexpr bool sizes_differ_by_rank(Collective collective) {
  return irregular(collective) && (rooted(collective) || personalised(collective));
}

/// The message's size in the sense of tables: the mean block where counts differ; 0 where not all
/// ranks know it.
[[nodiscard]] Bytes message_of(const executor::MpiCall& call);

/// Message sizes from the first on, before the end.
struct SizeRange {
  Bytes first{};
  Bytes end{std::numeric_limits<std::int64_t>::max()};
};

/// The message sizes that share the table's choice with this call's. Nothing where that is a
/// mock-up or the library's own algorithm, whose conditions may depend on the exact size.
[[nodiscard]] std::optional<SizeRange> sizes_like(const LayoutChoices& choices,
                                                  const executor::MpiCall& call);

/// Null: the library chooses. The same on all ranks.
/// @param call  valid
[[nodiscard]] const Variant* choose(const LayoutChoices& choices, const executor::MpiCall& call);

}  // namespace breakeven::api
