// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/algorithm_text.hpp"

#include <algorithm>

#include "kernels/catalogue.hpp"
#include "kernels/params.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::plan {

namespace {

bool is_library(std::string_view name) {
  const auto libraries = libraries::known_libraries();
  return std::ranges::find(libraries, name, &libraries::KnownLibrary::name) != libraries.end();
}

}  // namespace

AlgorithmWord::AlgorithmWord(std::string_view text) {
  if (const std::size_t colon = text.find(':');
      is_library(text.substr(0, colon)) ||
      (colon != std::string_view::npos && text.substr(0, colon) == kNative)) {
    library = text.substr(0, colon);
    text.remove_prefix(colon == std::string_view::npos ? text.size() : colon + 1);
  }
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) params = text.substr(colon + 1);
  algorithm = text.substr(0, colon);
  const std::size_t slash = algorithm.find('/');
  if (slash == std::string_view::npos) return;
  collective = algorithm.substr(0, slash);
  algorithm.remove_prefix(slash + 1);
}

bool AlgorithmWord::means(Collective of, const Variant& variant) const {
  const auto is_named = [&](const auto& form) { return collective == call_name(of, form.value); };
  if (!collective.empty() && std::ranges::none_of(kCallForms.entries, is_named)) return false;
  return std::visit(Overloaded{[&](Native) { return library.empty() && algorithm == kNative; },
                               [&](const Ours& ours) {
                                 return algorithm == kBreakeven ||
                                        (library.empty() && algorithm == ours.name);
                               },
                               [&](const LibraryOwn& own) {
                                 const bool any_library = library.empty() && algorithm == kLibrarys;
                                 return (any_library || library == own.library) &&
                                        (algorithm == kLibrarys || algorithm == own.name);
                               },
                               [&](const Composed& mock_up) {
                                 return algorithm == kMockUps ||
                                        (library == kNative && algorithm == mock_up.terms);
                               },
                               [](const auto&) { return false; }},
                    variant);
}

std::vector<std::string> split_algorithms(std::string_view text) {
  const auto begins_name = [](std::string_view piece) {
    if (piece.find('=') < std::min(piece.find(':'), piece.find('/'))) return false;
    const std::string_view name = piece.substr(0, piece.find(':'));
    return name.find('/') != std::string_view::npos || name == kNative || is_library(name) ||
           AlgorithmWord{name}.is_group() ||
           std::ranges::any_of(kCollectives.entries, [&](const auto& collective) {
             const auto rows = kernels::catalogue(collective.value);
             return std::ranges::find(rows, name, &kernels::Algorithm::name) != rows.end();
           });
  };
  std::vector<std::string> names;
  for (const std::string_view piece : kernels::split_list(text)) {
    const bool has_params = !names.empty() && !AlgorithmWord{names.back()}.params.empty();
    if (has_params && !begins_name(piece)) {
      names.back().append(",").append(piece);
    } else {
      names.emplace_back(piece);
    }
  }
  return names;
}

}  // namespace breakeven::plan
