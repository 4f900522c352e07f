// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/split_words.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/error.hpp"

namespace breakeven::launch {

std::vector<std::string> split_words(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  std::vector<std::string> words;
  std::optional<std::string> word;  // the one being read; '' is a word too
  char quote = '\0';                // the one that we are within
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\0' && kBlanks.find(c) != std::string_view::npos) {
      if (word) words.push_back(*word);
      word.reset();
      continue;
    }
    if (!word) word.emplace();
    if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      *word += text[++i];
    } else {
      *word += c;
    }
  }
  if (quote != '\0') {
    throw UsageError(fmt::format("'{}' has a {} that is not closed", text, quote));
  }
  if (word) words.push_back(*word);
  return words;
}

}  // namespace breakeven::launch
