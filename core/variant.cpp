// SPDX-License-Identifier: BSD-3-Clause
#include "core/variant.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace breakeven {

namespace {

/// The text of `Tuned`.
constexpr std::string_view kTuned = "tuned";

Variant without_params(std::string_view algorithm) {
  if (algorithm.empty()) return {};
  if (algorithm == kNative) return Native{};
  if (algorithm == kTuned) return Tuned{};
  const std::size_t colon = algorithm.find(':');
  if (colon == std::string_view::npos) return Ours{.name = std::string{algorithm}};
  const std::string_view library = algorithm.substr(0, colon);
  std::string name{algorithm.substr(colon + 1)};
  if (library == kNative) return Composed{.terms = std::move(name)};
  return LibraryOwn{.library = std::string{library}, .name = std::move(name)};
}

}  // namespace

Variant Variant::of(std::string_view algorithm, std::string_view params) {
  Variant variant = without_params(algorithm);
  if (auto* const ours = std::get_if<Ours>(&variant)) {
    ours->params = params;
  } else if (auto* const own = std::get_if<LibraryOwn>(&variant)) {
    own->params = params;
  } else if (!params.empty()) {
    throw UsageError(fmt::format("{} takes no parameters, asked: {}", algorithm, params));
  }
  return variant;
}

Variant Variant::parse(std::string_view text) {
  // A word before "=" is a parameter's name, any other word behind a colon is an algorithm's.
  std::size_t end = text.find(':');
  if (end == std::string_view::npos) return of(text);
  const std::size_t next = text.find_first_of(":=", end + 1);
  if (next == std::string_view::npos) return of(text);
  if (text[next] == ':') end = next;
  return of(text.substr(0, end), text.substr(end + 1));
}

Variant::Texts Variant::texts() const {
  return std::visit(
      Overloaded{[](std::monostate) { return Texts{}; },
                 [](Native) { return Texts{kNative, {}, {}}; },
                 [](Tuned) { return Texts{kTuned, {}, {}}; },
                 [](const Ours& ours) { return Texts{ours.name, {}, ours.params}; },
                 [](const LibraryOwn& own) { return Texts{own.library, own.name, own.params}; },
                 [](const Composed& mock_up) { return Texts{kNative, mock_up.terms, {}}; }},
      *this);
}

std::string Variant::algorithm() const {
  const auto& [first, second, params] = texts();
  return second.empty() ? std::string{first} : fmt::format("{}:{}", first, second);
}

std::string to_text(const Variant& variant) {
  const std::string_view params = variant.params();
  return params.empty() ? variant.algorithm() : fmt::format("{}:{}", variant.algorithm(), params);
}

}  // namespace breakeven
