// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench/same_algorithm/library.hpp"
#include "core/units.hpp"

namespace breakeven::bench {

/// What the command line asks for.
struct Options {
  std::vector<std::string> collectives{};  ///< none: all
  std::vector<std::string> algorithms{};   ///< by either name; none: all
  std::vector<std::string> sizes{};        ///< none: those of default_sizes()
  int rounds = 31;
};

/// @param options  filled when `app` parses; must outlive that
void add_options(CLI::App& app, Options& options);

/// The pairs of this library that are asked for.
/// @throws UsageError naming all when there are none.
[[nodiscard]] std::vector<Pair> chosen_pairs(const Options& options);

/// What MPI's count argument describes, in bytes: as asked for, else 8 B to 4 MiB by factors of 2.
/// @throws UsageError on what is no size.
[[nodiscard]] std::vector<Bytes> chosen_sizes(const Options& options);

}  // namespace breakeven::bench
