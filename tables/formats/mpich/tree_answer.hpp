// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "tables/formats/common/emitted.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

/// Lets a tree without faults answer for calls with an operation of MPI's own, equal counts and
/// separate buffers; notes tell of others. A leaf that Breakeven left as it is in the library's
/// tree is no choice of the file.
/// @param text  of the file, whose head tells whether Breakeven wrote it
void answer_by(Chain tree, Layer layer, std::string_view text, ReadTable& read);

}  // namespace breakeven::formats::mpich
