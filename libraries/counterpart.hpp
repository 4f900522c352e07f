// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

#include "core/case.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::libraries {

/// The case of an algorithm of ours that sends the messages that the case's algorithm sends, by the
/// sources of its library: "openmpi:ring" is our ring, "openmpi:rabenseifner" our halving_doubling.
/// An algorithm of ours is its own. Nothing of native, mock-ups and all others of the libraries.
[[nodiscard]] std::optional<Case> counterpart(const Case& what);

/// The name of an algorithm of ours that is a library's counterpart for some p and parameters, or
/// why there is none.
struct Pairing {
  std::string_view ours{};
  std::string_view why_none{};
};
[[nodiscard]] Pairing pairing_of(const LibraryAlgorithm& theirs);

}  // namespace breakeven::libraries
