// SPDX-License-Identifier: BSD-3-Clause
#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "libraries/library_algorithm.hpp"

namespace breakeven::report {

namespace {

/// Words in the names of a family's members; the first family that fits. Those of
/// scripts/plots/fastest_map.py, so that a colour means the same in all maps.
constexpr std::array<std::array<std::string_view, 5>, 10> kFamilies{
    {{"native"},
     {"ring", "neighbor"},
     {"halving", "binary_blocks", "reduce_scatter_", "rabenseifner"},
     {"bruck", "sparbit"},
     {"doubling", "multiplying", "elimination", "recexch"},
     {"circulant", "dissemination"},
     {"pairwise", "two_proc"},
     {"chain", "pipeline", "scatter"},
     {"linear", "reduce_bcast", "nonoverlapping", "hierarchical"},
     {"binomial", "binary", "nomial", "tree"}}};

/// The algorithm and its parameters: "ring:segments=4", "mpich:ring:segment_bytes=8".
struct Parts {
  std::string_view library;
  std::string_view algorithm;
  std::string_view params;
};

Parts parts_of(std::string_view variant) {
  Parts parts;
  const std::size_t equals = variant.find('=');
  const std::size_t colon = variant.rfind(':', equals);
  if (equals != std::string_view::npos && colon != std::string_view::npos) {
    parts.params = variant.substr(colon + 1);
    variant = variant.substr(0, colon);
  }
  const std::size_t prefix = variant.find(':');
  if (prefix != std::string_view::npos) {
    parts.library = variant.substr(0, prefix);
    variant = variant.substr(prefix + 1);
  }
  parts.algorithm = variant;
  return parts;
}

std::string letters(const Parts& parts, std::size_t of_each_word) {
  if (parts.algorithm.find('_') == std::string_view::npos) ++of_each_word;
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
  const std::string_view params = parts_of(variant).params;
  return params.empty() ? variant : variant.substr(0, variant.size() - params.size() - 1);
}

std::string display_name(std::string_view variant) {
  if (variant == kNative) return "library's default";
  const Parts parts = parts_of(variant);
  std::string name{parts.algorithm};
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
  std::map<std::string, std::string> short_names;
  std::map<std::string, std::size_t> of_each_word;
  for (const std::string& each : variants) of_each_word[each] = 1;
  constexpr int kMost = 12;  // letters that are tried: equal algorithms differ in parameters alone
  for (int i = 0; i < kMost; ++i) {
    std::map<std::string, std::vector<std::string>> by_letters;
    for (const auto& [variant, count] : of_each_word) {
      short_names[variant] = letters(parts_of(variant), count);
      std::string any_case = short_names[variant];
      std::ranges::transform(any_case, any_case.begin(),
                             [](unsigned char c) { return std::tolower(c); });
      by_letters[any_case].push_back(variant);
    }
    for (const auto& [text, alike] : by_letters) {
      const auto differ = [&](const std::string& each) {
        return parts_of(each).algorithm != parts_of(alike.front()).algorithm;
      };
      if (!std::ranges::any_of(alike, differ)) continue;
      for (const std::string& each : alike) ++of_each_word[each];
    }
  }
  const auto native = short_names.find(std::string{kNative});
  if (native != short_names.end()) native->second = "";  // calm: there is nothing to see
  return short_names;
}

int family_of(std::string_view variant) {
  const std::string_view algorithm = without_params(variant);
  for (std::size_t family = 0; family < kFamilies.size(); ++family) {
    for (const std::string_view word : kFamilies[family]) {
      const bool fits = family == 0 ? algorithm == word : algorithm.find(word) != algorithm.npos;
      if (!word.empty() && fits) return static_cast<int>(family);
    }
  }
  return static_cast<int>(kFamilies.size());
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char each : text) {
    switch (each) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += each;
    }
  }
  return safe;
}

double rounded(double value) {
  return std::isfinite(value) ? std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr) : 0;
}

std::string interval_text(const stats::RatioInterval& interval) {
  const int digits = interval.ratio < 9.995 ? 2 : interval.ratio < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", interval.ratio, digits, interval.low, digits,
                     interval.high, digits);
}

}  // namespace breakeven::report
