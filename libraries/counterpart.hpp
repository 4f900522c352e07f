// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "core/case.hpp"

namespace breakeven::libraries {

/// The case of an algorithm of ours that sends the messages that the case's algorithm sends, by the
/// sources of its library: "openmpi:ring" is our ring, "openmpi:rabenseifner" our halving_doubling.
/// An algorithm of ours is its own. Nothing of native, mock-ups and all others of the libraries.
[[nodiscard]] std::optional<Case> counterpart(const Case& what);

}  // namespace breakeven::libraries
