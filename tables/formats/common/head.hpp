// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "tables/formats/common/emitted.hpp"

namespace breakeven::formats {

/// Lines as comments, each behind the mark: "#" and "# words".
[[nodiscard]] std::string commented(std::string_view mark, std::span<const std::string> lines);

/// The value of a line "KEY        VALUE" of `describe`, wherever it stands in the text, behind a
/// comment's mark; nothing when there is none.
[[nodiscard]] std::optional<std::string> head_value(std::string_view text, std::string_view key);

/// Those of all lines with this key.
[[nodiscard]] std::vector<std::string> head_values(std::string_view text, std::string_view key);

/// How a rule of a library's table harms programs that MPI permits; nothing where it doesn't, or
/// the head of the table's text allows it (Provenance::allowed_unsafe).
[[nodiscard]] std::optional<std::string> unsafe_rule(std::string_view text, const Case& choice);

/// Whether a list such as "ring linear" or "yes|no" has the word.
[[nodiscard]] bool lists(std::string_view words, char separator, std::string_view word);

/// A word outside of comments, which begin with '#'.
struct Word {
  std::string text{};
  int line = 0;
};
[[nodiscard]] std::vector<Word> words_of(std::string_view text);

/// The lines of a text, without their ends.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// The number of the line, from 1 on, in which a byte of the text stands.
[[nodiscard]] int line_at(std::string_view text, std::size_t byte);

/// The fault of a text that is no JSON from some byte on.
inline constexpr std::string_view kNoJson = "no JSON from here on: was the file cut?";
/// The message of nlohmann-json without its name for the error: "key 'alg' not found".
[[nodiscard]] std::string json_error_text(const std::exception& error);

/// "FILE:LINE: reason"
[[nodiscard]] std::string fault_text(std::string_view file, const ReadTable::Fault& fault);

}  // namespace breakeven::formats
