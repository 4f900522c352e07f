// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "core/case.hpp"

namespace breakeven::mock_ups {

/// A collective done by others of the same MPI library, or by another form of itself, as users
/// could do it: what a library should not be slower than. The word is PGMPI's.
struct MockUp {
  Collective collective;    ///< whose work it does
  std::string_view terms;   ///< the calls: "reduce_scatter_block+allgather"; or the other form
  std::string_view reason;  ///< why that is the same work
  std::string_view source;
  bool one_block = false;              ///< only where one block has all elements
  CallForm form = CallForm::blocking;  ///< of the calls whose work it does

  [[nodiscard]] Variant variant() const { return Composed{std::string{terms}}; }
};

/// All, by collective.
[[nodiscard]] std::span<const MockUp> catalogue();

/// Whether it can do a problem's work.
[[nodiscard]] bool serves(const MockUp& mock_up, const Case& problem);

/// Whether a program's calls can be done by it as a table says: by other collectives, those of
/// regular ones, whose message all ranks know.
[[nodiscard]] bool runs_in_programs(const MockUp& mock_up);

/// Null where the variant is no mock-up of calls of this form.
[[nodiscard]] const MockUp* find(Collective collective, const Variant& variant,
                                 CallForm form = CallForm::blocking);

}  // namespace breakeven::mock_ups
