// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "libraries/library_algorithm.hpp"

namespace breakeven::libraries {

[[nodiscard]] std::span<const LibraryAlgorithm> mpich_algorithms();
[[nodiscard]] std::span<const LibraryAlgorithm> openmpi_algorithms();

}  // namespace breakeven::libraries
