// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "stats/belief.hpp"

namespace breakeven::report {

/// "MPICH" of "mpich"; the name of another machine.
[[nodiscard]] std::string_view library_in_words(std::string_view library);

/// "ring" of "ring:segments=4".
[[nodiscard]] std::string_view without_params(std::string_view variant);

/// The name for people of an algorithm with its parameters: "recursive doubling", "MPICH ring,
/// segments=4", "library's default".
[[nodiscard]] std::string display_name(std::string_view variant);

/// A letter of each word, "RD" for recursive_doubling, two of a single one, "Ri" for ring; more
/// where names would read alike but for case. "Ri°" of the library's own. By variant.
[[nodiscard]] std::map<std::string, std::string> abbreviations(
    const std::vector<std::string>& variants);

/// Similar algorithms, which share a colour.
struct Family {
  std::array<std::string_view, 6> words{};  ///< in the names of its members
  std::string_view fill{};                  ///< behind dark letters
  std::string_view line{};
};
/// The library's default first, all others last.
[[nodiscard]] std::span<const Family> families();
/// The number of the family that an algorithm belongs to by its name.
[[nodiscard]] std::size_t family_of(std::string_view variant);
[[nodiscard]] const Family& family(std::string_view variant);
/// A colour, "#ee8866", mixed with white.
/// @param strength  of the colour, 1 at most
[[nodiscard]] std::string paler(std::string_view colour, double strength);

/// A colour for each class of ratios: orange where the baseline is better, grey where it is equal,
/// then green to violet.
inline constexpr std::array<std::string_view, 13> kRatioColours{
    "#e08214", "#fdd0a2", "#e4e7ea", "#d9f0d3", "#b2e2c5", "#7fcdbb", "#58b7cf",
    "#5a9fd4", "#7f8fd0", "#9a82c9", "#b07cc6", "#c774bb", "#dd6fae"};
/// Its class, 0 below 0.7; a bound belongs to the class above it.
[[nodiscard]] std::size_t ratio_class(double ratio);
/// "below 0.7", "0.7 to 0.9".
[[nodiscard]] std::string ratio_class_text(std::size_t number);

/// "8", "64K", "1M", for axes.
[[nodiscard]] std::string short_bytes(Bytes bytes);
/// The data that a message's size counts: "whole vector", "one process's block".
[[nodiscard]] std::string_view counted_text(Collective collective);

/// The parts of titles besides layout and size.
struct TitleParts {
  bool collective = true;
  bool datatype = false;  ///< where panels differ in it, as is the root
  bool root = false;
};

/// @param panels  a map whose keys are problems
[[nodiscard]] TitleParts title_parts(const auto& panels, bool collective = true) {
  std::set<Datatype> datatypes;
  std::set<Rank> roots;
  for (const auto& [problem, panel] : panels) {
    if (moves_data(problem.collective)) datatypes.insert(problem.datatype);
    if (rooted(problem.collective)) roots.insert(problem.root);
  }
  return {.collective = collective, .datatype = datatypes.size() > 1, .root = roots.size() > 1};
}

/// "allreduce max, double, p = 8, 2 nodes of 4, mapping rr, 64 KiB": above a panel. Numbers that
/// are 0 are not said, nor is the mapping seq.
[[nodiscard]] std::string problem_title(const Case& problem, const TitleParts& said);

/// "1.31 (1.22 to 1.40)"
[[nodiscard]] std::string interval_text(const stats::RatioInterval& interval);

}  // namespace breakeven::report
