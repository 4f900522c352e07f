// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/mpich_choices.hpp"

#include <fmt/format.h>

namespace breakeven::libraries {

namespace {

/// The longest known word with which `text` ends.
std::string_view last_word(std::string_view text, std::span<const std::string_view> known) {
  std::string_view longest;
  for (const std::string_view word : known) {
    if (text.ends_with(word) && word.size() > longest.size()) longest = word;
  }
  return longest;
}

}  // namespace

std::vector<std::string> mpich_choices(std::string_view description,
                                       std::span<const std::string_view> known) {
  std::vector<std::string> choices;
  for (std::size_t dash = description.find(" - "); dash != std::string_view::npos;
       dash = description.find(" - ", dash + 1)) {
    std::string_view before = description.substr(0, dash);
    while (before.ends_with(' ')) before.remove_suffix(1);
    choices.emplace_back(last_word(before, known));
  }
  return choices;
}

std::size_t mpich_numbers(std::string_view description) {
  std::size_t numbers = 0;
  std::size_t at = description.find("0 Auto");
  while (at != std::string_view::npos) {
    at = description.find(fmt::format("{} ", numbers + 1), at + 1);
    if (at != std::string_view::npos) ++numbers;
  }
  return numbers;
}

}  // namespace breakeven::libraries
