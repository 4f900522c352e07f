// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tuner/emit/emitted.hpp"
#include "tuner/provenance.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// The table as the two selection trees that MPICH 4.0 and 4.2 load in the place of their own: the
/// MPIR layer's, which names algorithms, and CH4's, which hands the user's communicator to that
/// layer where the table has chosen. Both are the library's own trees everywhere else.
/// @throws UsageError when the library's version is another one, its own tree is not there, or a
///         choice is none of its algorithms.
[[nodiscard]] Emitted mpich_json(const Table& table, const Provenance& provenance);
[[nodiscard]] Emitted mpich_ch4_json(const Table& table, const Provenance& provenance);

/// Reads any selection tree of these layers. In a file of ours an answer is native where the
/// library's own tree was left in place; in another one it is what the tree says.
[[nodiscard]] ReadTable read_mpich_json(std::string_view text);
[[nodiscard]] ReadTable read_mpich_ch4_json(std::string_view text);

/// Whether a text looks like one of them, however broken.
[[nodiscard]] bool is_mpich_json(std::string_view text);
[[nodiscard]] bool is_mpich_ch4_json(std::string_view text);

}  // namespace breakeven
