// SPDX-License-Identifier: BSD-3-Clause
#include "bench/same_algorithm/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/error.hpp"
#include "core/names.hpp"

namespace breakeven::bench {

namespace {

constexpr Bytes kSmallest{8};
constexpr Bytes kLargest{4 << 20};

/// Whether any of `names` is among those asked for, or nothing is.
bool asked(const std::vector<std::string>& for_these,
           std::initializer_list<std::string_view> names) {
  return for_these.empty() || std::ranges::any_of(names, [&](std::string_view name) {
           return std::ranges::find(for_these, name) != for_these.end();
         });
}

}  // namespace

void add_options(CLI::App& app, Options& options) {
  const auto list = [&app](const char* name, std::vector<std::string>& into, const char* words) {
    app.add_option(name, into, words)->delimiter(',');
  };
  list("--collective", options.collectives, "allreduce,bcast; else all");
  list("--algorithm", options.algorithms, "by our name or the library's; else all");
  list("--sizes", options.sizes, "8,64K,1M, whole doubles; else 8 B to 4 MiB by factors of 2");
  app.add_option("--rounds", options.rounds, "in each of which both sides take turns")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

std::vector<Pair> chosen_pairs(const Options& options) {
  std::vector<Pair> chosen;
  std::string known;
  for (const Pair& pair : kLibrary.pairs) {
    const std::string_view collective = kCollectives.of(pair.collective);
    known += fmt::format(" {}/{}", collective, pair.ours);
    if (asked(options.collectives, {collective}) &&
        asked(options.algorithms, {pair.ours, pair.library})) {
      chosen.push_back(pair);
    }
  }
  if (!chosen.empty()) return chosen;
  throw UsageError(fmt::format("{} has none of these; known:{}", kLibrary.name, known));
}

std::vector<Bytes> chosen_sizes(const Options& options) {
  std::vector<Bytes> sizes;
  for (const std::string& text : options.sizes) sizes.push_back(parse_bytes(text));
  if (!sizes.empty()) return sizes;
  for (Bytes size = kSmallest; size <= kLargest; size = 2 * size) sizes.push_back(size);
  return sizes;
}

}  // namespace breakeven::bench
