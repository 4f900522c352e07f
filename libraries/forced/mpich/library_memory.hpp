// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"
#include "core/library_capabilities.hpp"

namespace breakeven::forced::mpich {

/// The readable parts of the MPI library in the memory of this process. MPICH has in them what it
/// says by no interface: its selection trees, and the names of its algorithms' functions.
[[nodiscard]] std::vector<std::string_view> library_memory();

/// The algorithms of a collective in memory, without duplicates: "binomial" of the text
/// "MPIR_Bcast_intra_binomial", "nb" of "MPIR_Bcast_allcomm_nb"; "tsp_ring" of
/// "MPIR_Ibcast_intra_tsp_ring".
[[nodiscard]] std::vector<std::string> algorithms_in(std::string_view memory, Collective collective,
                                                     CallForm form = CallForm::blocking);

/// The selection trees in memory: "mpir", "ch4" and "posix".
[[nodiscard]] std::vector<DefaultTree> default_trees();

}  // namespace breakeven::forced::mpich
