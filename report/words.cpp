// SPDX-License-Identifier: BSD-3-Clause
#include "report/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>

#include "core/variant.hpp"

namespace breakeven::report {

namespace {

/// The first family that fits has the algorithm; the last one has the others. Paul Tol's "light"
/// scheme and two of his "pale" one: colour-blind readers tell these backgrounds apart.
constexpr std::array<Family, 11> kFamilies{
    {{{"native"}, "#d3d8de", "#1b1f24"},
     {{"ring", "neighbor"}, "#ee8866", "#cc5a33"},
     {{"halving", "binary_blocks", "reduce_scatter_", "rabenseifner"}, "#44bb99", "#1f9274"},
     {{"bruck", "sparbit"}, "#bbcc33", "#8a9a10"},
     {{"doubling", "multiplying", "elimination", "recexch"}, "#77aadd", "#3f7fc1"},
     {{"circulant", "dissemination"}, "#ffaabb", "#d9657f"},
     {{"pairwise", "two_proc"}, "#aaaa00", "#84840a"},
     {{"chain", "pipeline", "scatter"}, "#bbccee", "#7d8fc4"},
     {{"linear", "direct", "reduce_bcast", "nonoverlapping", "hierarchical", "lane"},
      "#eedd88",
      "#b79a1e"},
     {{"binomial", "binary", "nomial", "tree"}, "#99ddff", "#2f9fcf"},
     {{}, "#ccddaa", "#7f9a54"}}};

constexpr std::array kRatioBounds{0.7, 0.9, 1.1, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 20.0, 50.0, 100.0};
static_assert(kRatioBounds.size() + 1 == kRatioColours.size());

struct Parts {
  std::string library{};  ///< "native" of a mock-up
  std::string algorithm{};
  std::string params{};
};

Parts parts_of(std::string_view text) {
  const Variant variant = Variant::parse(text);
  if (const LibraryOwn* own = variant.library()) return {own->library, own->name, own->params};
  if (const Composed* mock_up = variant.mock_up())
    return {std::string{kNative}, mock_up->terms, {}};
  return {{}, variant.algorithm(), std::string{variant.params()}};
}

std::string letters(const Parts& parts, std::size_t of_each_word) {
  if (parts.algorithm.find_first_of("_+") == std::string_view::npos) ++of_each_word;
  std::string text;
  std::size_t in_word = 0;
  for (const char each : parts.algorithm) {
    if (each == '_' || each == '+') {
      in_word = 0;
      continue;
    }
    if (in_word < of_each_word) {
      text += static_cast<char>(in_word == 0 ? std::toupper(each) : each);
    }
    ++in_word;
  }
  return parts.library.empty() ? text : text + "°";
}

}  // namespace

std::string_view library_in_words(std::string_view library) {
  if (library == "mpich") return "MPICH";
  if (library == "openmpi") return "Open MPI";
  return library;
}

std::string_view without_params(std::string_view variant) {
  const std::string params = parts_of(variant).params;
  return params.empty() ? variant : variant.substr(0, variant.size() - params.size() - 1);
}

std::string display_name(std::string_view variant) {
  if (variant == kNative) return "library's default";
  const Parts parts = parts_of(variant);
  std::string name = parts.algorithm;
  std::ranges::replace(name, '_', ' ');
  if (parts.library == kNative) {
    name = fmt::format("the library's {}", name);
  } else if (!parts.library.empty()) {
    name = fmt::format("{} {}", library_in_words(parts.library), name);
  }
  if (!parts.params.empty()) name += fmt::format(", {}", parts.params);
  return name;
}

std::map<std::string, std::string> abbreviations(const std::vector<std::string>& variants) {
  std::map<std::string, std::size_t> more;  // letters of each word than one
  const auto short_name = [&](const std::string& variant) {
    return letters(parts_of(variant), 1 + more[variant]);
  };
  const auto in_any_case = [&](const std::string& variant) {
    std::string text = short_name(variant);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
  };
  constexpr int kMost = 12;  // letters that are tried
  for (int i = 0; i < kMost; ++i) {
    std::map<std::string, std::set<std::string>> alike;  // equal ones differ in parameters
    for (const std::string& each : variants) {
      alike[in_any_case(each)].insert(parts_of(each).algorithm);
    }
    for (const std::string& each : variants) {
      if (alike[in_any_case(each)].size() > 1) ++more[each];
    }
  }
  std::map<std::string, std::string> short_names;
  for (const std::string& each : variants) {
    short_names[each] = each == kNative ? "" : short_name(each);  // calm: there is nothing to see
  }
  return short_names;
}

std::span<const Family> families() { return kFamilies; }

std::size_t family_of(std::string_view variant) {
  const std::string_view algorithm = without_params(variant);
  for (std::size_t i = 0; i + 1 < kFamilies.size(); ++i) {
    for (const std::string_view word : kFamilies[i].words) {
      if (word.empty()) break;
      if (i == 0 ? algorithm == word : algorithm.find(word) != algorithm.npos) return i;
    }
  }
  return kFamilies.size() - 1;
}

const Family& family(std::string_view variant) { return kFamilies[family_of(variant)]; }

std::string paler(std::string_view colour, double strength) {
  std::string mixed = "#";
  for (std::size_t at = 1; at < colour.size(); at += 2) {
    const double part = std::stoi(std::string{colour.substr(at, 2)}, nullptr, 16);
    mixed += fmt::format("{:02x}", std::lround(strength * part + (1 - strength) * 255));
  }
  return mixed;
}

std::size_t ratio_class(double ratio) {
  return static_cast<std::size_t>(std::ranges::upper_bound(kRatioBounds, ratio) -
                                  kRatioBounds.begin());
}

std::string ratio_class_text(std::size_t number) {
  if (number == 0) return fmt::format("below {:g}", kRatioBounds.front());
  if (number == kRatioBounds.size()) return fmt::format("from {:g}", kRatioBounds.back());
  return fmt::format("{:g} to {:g}", kRatioBounds[number - 1], kRatioBounds[number]);
}

std::string short_bytes(Bytes bytes) {
  constexpr std::array kUnits{"", "K", "M", "G"};
  std::int64_t number = bytes.value;
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && number >= 1024 && number % 1024 == 0) {
    number /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", number, kUnits[unit]);
}

std::string_view counted_text(Collective collective) {
  if (!moves_data(collective)) return "no data";
  return counts_one_block(collective) ? "one process's block" : "whole vector";
}

std::string problem_title(const Case& problem, const TitleParts& said) {
  std::vector<std::string> parts;
  if (said.collective) {
    parts.emplace_back(kCollectives.of(problem.collective));
    if (problem.op != Op::none && problem.op != Op::sum) {
      parts.back() += fmt::format(" {}", kOps.of(problem.op));
    }
    if (problem.counts != Counts::equal) {
      parts.back() += fmt::format(" {} counts", kCounts.of(problem.counts));
    }
    if (problem.form != CallForm::blocking) parts.emplace_back(kCallForms.of(problem.form));
  }
  if (said.datatype && moves_data(problem.collective))
    parts.emplace_back(kDatatypes.of(problem.datatype));
  if (said.root && rooted(problem.collective))
    parts.push_back(fmt::format("root {}", problem.root.value));
  if (problem.procs != 0) parts.push_back(fmt::format("p = {}", problem.procs));
  if (problem.nodes > 1) {
    parts.push_back(fmt::format("{} nodes", problem.nodes));
    if (problem.procs_per_node != 0) parts.back() += fmt::format(" of {}", problem.procs_per_node);
  } else if (problem.procs_per_node != 0 && problem.procs == 0) {
    parts.push_back(fmt::format("{} on a node", problem.procs_per_node));
  }
  if (problem.comms_per_node > 1)
    parts.push_back(fmt::format("{} at once", problem.comms_per_node));
  if (problem.mapping != Mapping{}) parts.push_back("mapping " + to_text(problem.mapping));
  if (problem.message != Bytes{}) parts.push_back(to_text(problem.message));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string interval_text(const stats::RatioInterval& interval) {
  const int digits = interval.ratio < 9.995 ? 2 : interval.ratio < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", interval.ratio, digits, interval.low, digits,
                     interval.high, digits);
}

}  // namespace breakeven::report
