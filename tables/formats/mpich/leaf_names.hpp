// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

namespace breakeven::formats::mpich {

/// The leaves of one collective. Algorithms are parted by blanks, as they stand behind the
/// collective's name: "intra_smp"; compositions are Greek letters, "abg" for alpha, beta, gamma.
struct LeafNames {
  std::string_view collective;
  std::string_view both;  ///< in 4.0 as well as in 4.2
  std::string_view only_4_0;
  std::string_view only_4_2;
  std::string_view compositions_4_0;
  std::string_view compositions_4_2;
};

/// One row for each collective of an MPIR tree.
[[nodiscard]] std::span<const LeafNames> leaf_names();

}  // namespace breakeven::formats::mpich
